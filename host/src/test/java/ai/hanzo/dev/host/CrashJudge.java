package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.ActionRow;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Run;
import ai.hanzo.dev.ledger.RunStatus;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.wire.ActionWire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** Compares what was promised and recorded with what there is in the workspaces. */
final class CrashJudge {
    private final Store store;
    private final Map<ActionStatus, Integer> ends = new EnumMap<>(ActionStatus.class);

    CrashJudge(Store store) {
        this.store = store;
    }

    /** How many effects ended how. */
    Map<ActionStatus, Integer> ends() {
        return ends;
    }

    void judge(CrashLoad.Promised promised) {
        SessionId session = promised.session();
        assertThat(store.journal().verify(TestHost.ORG, session))
                .isInstanceOf(Verification.Sound.class);
        assertThat(store.journal().openActions(TestHost.ORG, session)).isEmpty();
        turns(promised);
        List<ActionRow> actions = actions(session);
        int commands = 0;
        for (ActionRow row : actions) {
            switch (ActionWire.decode(row.payload()).op()) {
                case Op.Exec exec -> {
                    commands++;
                    effect(row, command(promised.project(), exec));
                }
                case Op.Write write -> effect(row, lines(promised.project(), write.path()));
                case Op.Patch _ ->
                        effect(row, lines(promised.project(), CrashScript.mark("p", turnOf(row))));
                case Op.Git _ -> effect(row, commits(promised.project(), turnOf(row)));
                case Op.Read _,
                        Op.ListFiles _,
                        Op.Search _,
                        Op.Stat _,
                        Op.ModelAsk _,
                        Op.Ask _,
                        Op.Browse _,
                        Op.Send _,
                        Op.Emit _,
                        Op.Save _,
                        Op.Done _ ->
                        assertThat(row.status())
                                .as("%s/%s", session, row.id())
                                .isIn(ActionStatus.COMPLETED, ActionStatus.FAILED);
            }
        }
        assertThat(commands)
                .as("commands of %s", session)
                .isEqualTo(promised.turns().size() * CrashScript.EXECS);
    }

    /** What was acknowledged is there, once and where it was said to be, and came to its end. */
    private void turns(CrashLoad.Promised promised) {
        List<Integer> recorded = new ArrayList<>();
        for (Entry entry : entries(promised.session())) {
            if (entry.kind().equals(EntryKind.TURN)) {
                recorded.add(Math.toIntExact(entry.seq().value()));
            }
        }
        assertThat(recorded).as("turns of %s", promised.session()).isEqualTo(promised.turns());
        List<Run> runs = store.journal().runs(TestHost.ORG, promised.session(), 0, 1000);
        // The last sessions may have been opened just before the end, without a turn.
        assertThat(runs).extracting(Run::status).allMatch(RunStatus.COMPLETED::equals);
        assertThat(runs).hasSameSizeAs(promised.turns());
    }

    private List<Entry> entries(SessionId session) {
        List<Entry> all = new ArrayList<>();
        List<Entry> page;
        do {
            Seq after = all.isEmpty() ? new Seq(0) : all.getLast().seq();
            page = store.journal().entries(TestHost.ORG, session, after, 1000);
            all.addAll(page);
        } while (page.size() == 1000);
        return all;
    }

    private List<ActionRow> actions(SessionId session) {
        List<ActionRow> all = new ArrayList<>();
        List<ActionRow> page;
        do {
            long after = all.isEmpty() ? 0 : all.getLast().id().value();
            page =
                    store.journal()
                            .actions(
                                    TestHost.ORG,
                                    session,
                                    EnumSet.allOf(ActionStatus.class),
                                    after,
                                    1000);
            all.addAll(page);
        } while (page.size() == 1000);
        return all;
    }

    private static int turnOf(ActionRow row) {
        return Math.toIntExact(row.turn().orElseThrow().value());
    }

    /** At most once; exactly once if it is said to be done; and if nobody knows, that is said. */
    private void effect(ActionRow row, int times) {
        String what = row.session() + "/" + row.id() + " " + row.kind() + " is " + row.status();
        ends.merge(row.status(), 1, Integer::sum);
        assertThat(times).as(what).isLessThanOrEqualTo(1);
        switch (row.status()) {
            case COMPLETED -> assertThat(times).as(what).isEqualTo(1);
            // Killed halfway, which is known; or not sent at all.
            case FAILED, IN_DOUBT -> {}
            case REQUESTED, BLOCKED, WAITING_APPROVAL, WAITING_INPUT, DISPATCHED, CANCELLED ->
                    throw new AssertionError(what);
        }
    }

    private static int command(Path project, Op.Exec exec) {
        if (exec.argv().getFirst().equals("mkdir")) {
            return Files.isDirectory(project.resolve(exec.argv().get(1))) ? 1 : 0;
        }
        String line = exec.argv().getLast();
        return lines(project, line.substring(line.lastIndexOf(' ') + 1));
    }

    private static int lines(Path project, String file) {
        Path path = project.resolve(file);
        return Files.exists(path) ? (int) Projects.read(path).lines().count() : 0;
    }

    /** How often the commit of a turn was made, by the repository's own log of its branch. */
    private static int commits(Path project, int turn) {
        Path log = project.resolve(".git/logs/HEAD");
        try {
            return !Files.exists(log)
                    ? 0
                    : (int)
                            Files.readAllLines(log).stream()
                                    .filter(line -> line.endsWith(": turn-" + turn))
                                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
