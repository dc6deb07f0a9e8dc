package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import ai.hanzo.dev.host.core.CoreLimits;
import ai.hanzo.dev.host.core.CoreShelf;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.core.FormerCore;
import ai.hanzo.dev.host.dispatch.CellProxies;
import ai.hanzo.dev.host.session.CoreHistory;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sessions that a former release began: at rest they move to the core of this one, in a turn they
 * stay. What was eaten by two cores can be eaten again.
 */
class CoreUpgradeIT {
    @TempDir Path root;
    private final DatabaseConfig database = Databases.fresh();

    private TestHost host(Path home, DatabaseConfig of, Supplier<Cores> cores) {
        return new TestHost(
                home,
                of,
                (TestHost.Assembler)
                        whenDead ->
                                new Assembly(
                                        HostConfig.of(home, Map.of()).withDatabase(of),
                                        whenDead,
                                        UnaryOperator.identity(),
                                        CellProxies.toPublicAddresses(),
                                        cores));
    }

    private static Session session(TestHost host, Path project) {
        return host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
    }

    private static CoreHistory history(TestHost host, Path project) {
        return CoreHistory.of(host.store().journal(), session(host, project));
    }

    private static void goesOn(TestHost host, Path project, String says) {
        Ran ran = host.in(project).run("--continue", "exec", "Go on.");
        assertThat(ran.exit()).as(ran.out() + ran.err()).isZero();
        assertThat(ran.out()).contains(says);
        host.awaitIdle(session(host, project).id());
    }

    private static void verified(TestHost host, SessionId session) {
        Ran ran = host.in(Path.of("/")).run("verify", session.value());
        assertThat(ran.exit()).as(ran.out() + ran.err()).isZero();
    }

    @Test
    void aSessionAtRestMovesAndOneInATurnStays() throws SQLException {
        Path home = root.resolve("home");
        Path idle = Projects.make(root);
        Path busy = Projects.make(root);
        Scripts work = new Scripts();
        for (String turn : new String[] {"One", "Two", "Three", "Four"}) {
            work.call("read", "path", "../x").sh("echo " + turn + " >> n").say(turn + ".");
        }
        String former;
        try (TestHost host = host(home, database, FormerCore::cores)) {
            assertThat(host.in(idle).exec(work.text(), "Go.").exit()).isZero();
            Ran asks =
                    host.in(busy)
                            .exec(
                                    new Scripts()
                                            .call("ask", "question", "Why?")
                                            .sh("echo because > why")
                                            .say("I see.")
                                            .say("Next.")
                                            .text(),
                                    "Go.");
            assertThat(asks.exit()).as(asks.err()).isEqualTo(3);
            Waiting.forState(host.store(), session(host, busy).id(), SessionState.WAITING_INPUT);
            former = session(host, idle).core().toHex();
        }
        try (TestHost host = host(home, database, FormerCore::besideTheCurrent)) {
            SessionId asked = session(host, busy).id();
            assertThat(host.in(busy).run("answer", asked.value(), "So.").exit()).isZero();
            host.awaitIdle(asked);
            assertThat(busy.resolve("why")).hasContent("because");
            assertThat(session(host, busy).core().toHex()).isEqualTo(former);
            assertThat(history(host, busy).moves()).isEmpty();
            goesOn(host, busy, "Next.");
            assertThat(session(host, busy).core().toHex()).isNotEqualTo(former);
            verified(host, asked);

            verified(host, session(host, idle).id());
            goesOn(host, idle, "Two.");
            CoreHistory history = history(host, idle);
            assertThat(history.first().hex()).isEqualTo(former);
            assertThat(history.moves()).hasSize(1);
            assertThat(session(host, idle).core().toHex()).isEqualTo(history.last().hex());
            assertThat(host.in(idle).run("log", session(host, idle).id().value()).out())
                    .contains("runs on core " + history.last() + " from here on");
            verified(host, session(host, idle).id());
            said(host, session(host, idle), FormerCore.THEN, FormerCore.NOW);
        }
        withoutItsSnapshot(session(home, idle));
        try (TestHost host = host(home, database, FormerCore::besideTheCurrent)) {
            goesOn(host, idle, "Three.");
            assertThat(history(host, idle).moves()).hasSize(1);
            verified(host, session(host, idle).id());
            copiesGoOn(host, idle, former);
        }
        withoutTheFormerCore(home, idle);
    }

    /** What the cores said of a path, each in its turn. */
    private static void said(TestHost host, Session session, String first, String second) {
        String all =
                host
                        .store()
                        .journal()
                        .entries(TestHost.ORG, session.id(), new Seq(0), 1000)
                        .stream()
                        .map(entry -> entry.payload().toUtf8())
                        .collect(Collectors.joining("\n"));
        assertThat(all).containsOnlyOnce(first).containsOnlyOnce(second);
        assertThat(all.indexOf(first)).isLessThan(all.indexOf(second));
    }

    private SessionId session(Path home, Path project) {
        try (TestHost host = host(home, database, FormerCore::besideTheCurrent)) {
            return session(host, project).id();
        }
    }

    private void withoutItsSnapshot(SessionId session) throws SQLException {
        try (Connection db =
                        DriverManager.getConnection(
                                database.url(),
                                database.owner().user(),
                                database.owner().password());
                Statement statement = db.createStatement()) {
            assertThat(
                            statement.executeUpdate(
                                    "DELETE FROM snapshots WHERE session_id = '" + session + "'"))
                    .isOne();
        }
    }

    /**
     * A fork from before the move is on the former core, one from after it and an import on this.
     */
    private void copiesGoOn(TestHost host, Path idle, String former) {
        SessionId origin = session(host, idle).id();
        CoreHistory history = history(host, idle);
        long before = history.moves().getFirst().since().value() - 1;
        Path early = root.resolve("early");
        Ran fork = host.in(idle).run("fork", origin.value(), early.toString(), "--to", "" + before);
        assertThat(fork.exit()).as(fork.err()).isZero();
        assertThat(session(host, early).core().toHex()).isEqualTo(former);
        goesOn(host, early, "Two.");
        assertThat(session(host, early).core().toHex()).isNotEqualTo(former);
        verified(host, session(host, early).id());

        Path late = root.resolve("late");
        assertThat(host.in(idle).run("fork", origin.value(), late.toString()).exit()).isZero();
        assertThat(history(host, late).moves()).isEqualTo(history.moves());
        goesOn(host, late, "Four.");
        verified(host, session(host, late).id());

        Path file = root.resolve("session.hanzo");
        Ran out = host.in(idle).run("export", origin.value(), "-o", file.toString());
        assertThat(out.exit()).as(out.err()).isZero();
        try (TestHost other =
                host(root.resolve("there"), Databases.fresh(), FormerCore::besideTheCurrent)) {
            Path arrived = root.resolve("arrived");
            Ran in = other.in(root).run("import", file.toString(), arrived.toString());
            assertThat(in.exit()).as(in.err()).isZero();
            goesOn(other, arrived, "Four.");
            verified(other, origin);
        }
    }

    /** A host that lacks the core says so, and does nothing. */
    private void withoutTheFormerCore(Path home, Path idle) {
        Path fresh = Projects.make(root);
        try (TestHost host = host(home, database, FormerCore::cores)) {
            assertThat(
                            host.in(fresh)
                                    .exec(new Scripts().say("One.").say("Two.").text(), "Go.")
                                    .exit())
                    .isZero();
        }
        try (TestHost host = host(home, database, () -> CoreShelf.builtIn(CoreLimits.DEFAULTS))) {
            Ran refused = host.in(fresh).run("--continue", "exec", "Go on.");
            assertThat(refused.exit()).isEqualTo(1);
            assertThat(refused.err()).contains("cannot go on here: no core ");
            assertThat(session(host, fresh).state()).isEqualTo(SessionState.IDLE);
            goesOn(host, idle, "Four.");
        }
    }
}
