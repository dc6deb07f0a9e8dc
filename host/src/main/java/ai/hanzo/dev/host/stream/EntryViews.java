package ai.hanzo.dev.host.stream;

import ai.hanzo.dev.host.model.Printable;
import ai.hanzo.dev.host.op.v1.AnswerDetail;
import ai.hanzo.dev.host.op.v1.Approval;
import ai.hanzo.dev.host.op.v1.ApprovalDetail;
import ai.hanzo.dev.host.op.v1.ConfigDetail;
import ai.hanzo.dev.host.op.v1.Decision;
import ai.hanzo.dev.host.op.v1.FailureDetail;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.ModelReplyDetail;
import ai.hanzo.dev.host.op.v1.NoteDetail;
import ai.hanzo.dev.host.op.v1.ResultDetail;
import ai.hanzo.dev.host.op.v1.TurnDetail;
import ai.hanzo.dev.ledger.Approvals;
import ai.hanzo.dev.ledger.DecisionRow;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Journal;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.Resolution;
import ai.hanzo.dev.protocol.wire.ActionWire;
import ai.hanzo.dev.protocol.wire.ConfigWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import ai.hanzo.dev.protocol.wire.NoteWire;
import ai.hanzo.dev.protocol.wire.ResolutionWire;
import com.google.protobuf.Timestamp;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Shows the entries of the ledger as the surfaces show them. Reads the decision of an action beside
 * its entry, and an approval it waits for by its id; otherwise a pure function. Safe for all
 * threads.
 */
public final class EntryViews {
    private final Journal journal;
    private final Approvals approvals;

    public EntryViews(Journal journal, Approvals approvals) {
        this.journal = journal;
        this.approvals = approvals;
    }

    /** The entry as all surfaces show it. */
    public JournalEntry of(Entry entry) {
        JournalEntry.Builder view =
                JournalEntry.newBuilder()
                        .setSeq(Math.toIntExact(entry.seq().value()))
                        .setKind(kind(entry.kind()))
                        .setTime(time(entry.createdAt()));
        entry.turn().ifPresent(turn -> view.setTurn(Math.toIntExact(turn.value())));
        entry.action().ifPresent(action -> view.setAction(Math.toIntExact(action.value())));
        if (entry.kind().equals(EntryKind.ACTION)) {
            action(entry, ActionWire.decode(entry.payload()), view);
        } else if (entry.kind().equals(EntryKind.CONFIG) && entry.seq().value() == 1) {
            config(entry, ConfigWire.decode(entry.payload()), view);
        } else if (entry.kind().equals(EntryKind.APPROVAL)) {
            approval(ResolutionWire.decode(entry.payload()), view);
        } else if (entry.kind().equals(EntryKind.NOTE)
                || entry.kind().equals(EntryKind.STOP)
                || entry.kind().equals(EntryKind.SUSPEND)) {
            note(NoteWire.decode(entry.payload()), view);
        } else if (entry.kind().isInput()) {
            event(entry, EventWire.decode(entry.payload()), view);
        } else {
            view.setSummary("an entry of a kind this release does not know: " + entry.kind());
        }
        return view.build();
    }

    private static ai.hanzo.dev.host.op.v1.Entry.Kind kind(EntryKind kind) {
        String name = kind.equals(EntryKind.MODEL_REPLY) ? "model" : kind.value();
        for (var known : ai.hanzo.dev.host.op.v1.Entry.Kind.values()) {
            if (known.name().equals(name)) {
                return known;
            }
        }
        return ai.hanzo.dev.host.op.v1.Entry.Kind.kind_unspecified;
    }

    /** A point in time as all surfaces show it. */
    public static Timestamp time(Instant at) {
        return Timestamp.newBuilder()
                .setSeconds(at.getEpochSecond())
                .setNanos(at.getNano())
                .build();
    }

    private void action(Entry entry, Action action, JournalEntry.Builder view) {
        view.setAction(Math.toIntExact(action.id().value()))
                .setOp(OpText.name(action.op()))
                .setSummary(OpText.line(action.op()));
        OpDetails.set(entry.session(), action, view);
        journal.decision(entry.org(), entry.session(), action.id())
                .ifPresent(row -> view.setDecision(decision(entry, action, row)));
    }

    private Decision decision(Entry entry, Action action, DecisionRow row) {
        Decision decided = decision(row);
        boolean asks =
                switch (row.verdict()) {
                    case REQUIRE_CLIENT_APPROVAL, REQUIRE_EXPERT_APPROVAL -> true;
                    case ALLOW, OBSERVE, BLOCK -> false;
                };
        if (!asks) {
            return decided;
        }
        return approvals
                .ofAction(entry.org(), entry.session(), action.id())
                .map(asked -> decided.toBuilder().setApproval(asked.id().value()).build())
                .orElse(decided);
    }

    /** A decision as all surfaces show it. */
    public static Decision decision(DecisionRow row) {
        return Decision.newBuilder()
                .setVerdict(Decision.Verdict.valueOf(row.verdict().name().toLowerCase(Locale.ROOT)))
                .setRule(String.join(", ", row.rules()))
                .setReason(row.reason())
                .build();
    }

    private void config(Entry entry, Config config, JournalEntry.Builder view) {
        Optional<Session> session = journal.session(entry.org(), entry.session());
        ConfigDetail.Builder detail =
                ConfigDetail.newBuilder()
                        .setModel(config.model())
                        .setInstructions(config.instructions());
        config.tools().forEach(tool -> detail.addTools(tool.name()));
        session.ifPresent(row -> detail.setPolicy(row.policy()).setCoreDigest(row.core().toHex()));
        view.setConfig(detail)
                .setSummary(
                        "session opened"
                                + session.map(row ->
                                                ": model "
                                                        + row.model()
                                                        + ", policy "
                                                        + row.policy())
                                        .orElse(""));
    }

    private static void approval(Resolution resolution, JournalEntry.Builder view) {
        ApprovalDetail.Builder detail =
                ApprovalDetail.newBuilder()
                        .setApproval(resolution.approval().value())
                        .setStatus(
                                resolution.approved()
                                        ? Approval.Status.approved
                                        : Approval.Status.rejected)
                        .setResolvedBy(resolution.by());
        if (!resolution.note().isEmpty()) {
            detail.setNote(resolution.note());
        }
        view.setAction(Math.toIntExact(resolution.action().value()))
                .setApproval(detail)
                .setSummary(
                        (resolution.approved() ? "approved by " : "denied by ") + resolution.by());
    }

    private static void note(Note note, JournalEntry.Builder view) {
        view.setNote(NoteDetail.newBuilder().setTopic(note.topic()).setText(note.text()))
                .setSummary(note.topic() + ": " + note.text());
    }

    private void event(Entry entry, Event event, JournalEntry.Builder view) {
        switch (event) {
            case Event.Turn turn ->
                    view.setTurnInput(TurnDetail.newBuilder().setPrompt(turn.prompt()))
                            .setSummary(OpText.oneLine(turn.prompt()));
            case Event.ModelReply reply -> reply(reply, view);
            case Event.ModelFailed failed ->
                    view.setAction(Math.toIntExact(failed.id().value()))
                            .setOp("model")
                            .setFailure(
                                    FailureDetail.newBuilder()
                                            .setCode(code(failed.code()))
                                            .setMessage(failed.message()))
                            .setSummary(code(failed.code()) + ": " + failed.message());
            case Event.Result result -> result(entry, result, view);
            case Event.Answer answer ->
                    view.setAction(Math.toIntExact(answer.id().value()))
                            .setOp("ask")
                            .setAnswer(AnswerDetail.newBuilder().setText(answer.text()))
                            .setSummary(OpText.oneLine(answer.text()));
            case Event.Timer _ -> view.setSummary("time passed");
            case Event.Cancel cancel -> view.setSummary("cancel turn " + cancel.turn());
            case Event.Resume _ -> view.setSummary("the session goes on");
            case Event.Configure _ -> view.setSummary("the configuration changed");
        }
    }

    private static String code(Event.FailureCode code) {
        return code.name().toLowerCase(Locale.ROOT);
    }

    private static void reply(Event.ModelReply reply, JournalEntry.Builder view) {
        ModelReplyDetail.Builder detail =
                ModelReplyDetail.newBuilder()
                        .setInputTokens(clamp(reply.usage().inputTokens()))
                        .setOutputTokens(clamp(reply.usage().outputTokens()));
        reply.text().ifPresent(detail::setText);
        StringBuilder calls = new StringBuilder();
        for (Call call : reply.calls()) {
            detail.addCalls(
                    ModelReplyDetail.Call.newBuilder()
                            .setTool(call.tool())
                            .setSummary(CallText.line(call)));
            calls.append(calls.isEmpty() ? "" : ", ").append(call.tool());
        }
        view.setAction(Math.toIntExact(reply.id().value()))
                .setOp("model")
                .setModelReply(detail)
                .setSummary(
                        calls.isEmpty()
                                ? OpText.oneLine(reply.text().orElse("(nothing said)"))
                                : "calls " + calls);
    }

    private void result(Entry entry, Event.Result result, JournalEntry.Builder view) {
        Outcome outcome = result.outcome();
        ResultDetail.Builder detail =
                ResultDetail.newBuilder()
                        .setStatus(
                                ResultDetail.Status.valueOf(
                                        outcome.status().name().toLowerCase(Locale.ROOT)))
                        .setStdout(text(outcome.stdout()))
                        .setStderr(text(outcome.stderr()))
                        .setStdoutSize(outcome.stdoutBytes())
                        .setStderrSize(outcome.stderrBytes())
                        .setTruncated(outcome.truncated());
        outcome.exit().ifPresent(detail::setExit);
        if (!outcome.message().isEmpty()) {
            detail.setMessage(outcome.message());
        }
        outcome.artifacts().forEach(blob -> detail.addArtifacts(blob.digest().toHex()));
        String op =
                journal.action(entry.org(), entry.session(), result.id())
                        .map(row -> row.kind())
                        .orElse(result.family().name().toLowerCase(Locale.ROOT));
        view.setAction(Math.toIntExact(result.id().value()))
                .setOp(op)
                .setResult(detail)
                .setSummary(summary(outcome));
    }

    private static String summary(Outcome outcome) {
        String status =
                outcome.exit()
                        .map(exit -> "exit " + exit)
                        .orElse(outcome.status().name().toLowerCase(Locale.ROOT));
        return outcome.message().isEmpty() ? status : status + ": " + outcome.message();
    }

    /** UTF-8 as it is, and bytes that are not UTF-8 as \xNN. */
    private static String text(Bytes bytes) {
        return Printable.text(bytes);
    }

    private static int clamp(long tokens) {
        return (int) Math.min(tokens, Integer.MAX_VALUE);
    }
}
