package ai.hanzo.dev.host.op;

import ai.hanzo.dev.host.op.v1.Decision;
import ai.hanzo.dev.host.op.v1.DoneDetail;
import ai.hanzo.dev.host.op.v1.EmitDetail;
import ai.hanzo.dev.host.op.v1.Entry;
import ai.hanzo.dev.host.op.v1.ExecDetail;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.ResultDetail;
import java.util.List;

/** Journal entries for tests. */
public final class Entries {
    private Entries() {}

    public static JournalEntry.Builder of(Entry.Kind kind, String summary) {
        return JournalEntry.newBuilder().setKind(kind).setSummary(summary);
    }

    public static JournalEntry.Builder say(int turn, String text) {
        return of(Entry.Kind.action, text)
                .setTurn(turn)
                .setOp("emit")
                .setEmit(EmitDetail.newBuilder().setKind(EmitDetail.Kind.say).setText(text));
    }

    public static JournalEntry.Builder done(int turn) {
        return ended(turn, DoneDetail.Outcome.complete);
    }

    public static JournalEntry.Builder ended(int turn, DoneDetail.Outcome outcome) {
        return of(Entry.Kind.action, outcome.name())
                .setTurn(turn)
                .setOp("done")
                .setDone(DoneDetail.newBuilder().setOutcome(outcome));
    }

    public static JournalEntry.Builder exec(int turn, int action, List<String> argv) {
        return of(Entry.Kind.action, String.join(" ", argv))
                .setTurn(turn)
                .setAction(action)
                .setOp("exec")
                .setDecision(decision(Decision.Verdict.allow))
                .setExec(ExecDetail.newBuilder().addAllArgv(argv).setCwd("."));
    }

    public static Decision decision(Decision.Verdict verdict) {
        return Decision.newBuilder().setVerdict(verdict).setRule("workspace").build();
    }

    public static JournalEntry.Builder result(int action, int exit, String stdout) {
        return of(Entry.Kind.result, "exit " + exit)
                .setAction(action)
                .setOp("exec")
                .setResult(
                        ResultDetail.newBuilder()
                                .setStatus(ResultDetail.Status.ok)
                                .setExit(exit)
                                .setStdout(stdout)
                                .setStdoutSize(stdout.length()));
    }
}
