package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import ai.hanzo.dev.ledger.Appended;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.PostgresStore;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.id.Uuid7;
import ai.hanzo.dev.protocol.wire.NoteWire;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a host commits together, and what becomes of it when another host is quicker. */
class CommitsIT {
    private static final int READS = 25;

    @TempDir static Path root;
    private static final DatabaseConfig DATABASE = Databases.fresh();
    private static TestHost host;

    @BeforeAll
    static void start() {
        host = new TestHost(root.resolve("home"), DATABASE, UnaryOperator.identity());
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    /** An entry and the transaction that wrote it. */
    private record Written(String kind, String transaction) {}

    private static List<Written> written(Session session) throws SQLException {
        try (Connection db =
                        DriverManager.getConnection(
                                DATABASE.url(),
                                DATABASE.owner().user(),
                                DATABASE.owner().password());
                PreparedStatement query =
                        db.prepareStatement(
                                "SELECT kind, xmin::text FROM entries WHERE session_id = ?"
                                        + " ORDER BY seq")) {
            query.setString(1, session.id().value());
            List<Written> found = new ArrayList<>();
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    found.add(new Written(rows.getString(1), rows.getString(2)));
                }
            }
            return found;
        }
    }

    private static Session session(Path project) {
        return host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
    }

    private static String reads() {
        Scripts script = new Scripts();
        for (int i = 0; i < READS; i++) {
            script.call("read", "path", "hello.txt");
        }
        return script.say("Read.").text();
    }

    @Test
    void anOutcomeAndWhatComesOfItAreOneCommit() throws Exception {
        Path project = Projects.make(root);

        Ran ran = host.in(project).exec(reads(), "Read it, again and again.");

        assertThat(ran.exit()).as(ran.err()).isZero();
        List<Written> all = written(session(project));
        int together = 0;
        int outcomes = 0;
        for (int i = 0; i + 1 < all.size(); i++) {
            Written one = all.get(i);
            if (one.kind().equals("result") || one.kind().equals("model_reply")) {
                outcomes++;
                together += one.transaction().equals(all.get(i + 1).transaction()) ? 1 : 0;
            }
        }
        assertThat(outcomes).isEqualTo(2 * READS + 1);
        // The last one ends the run, which goes behind it; one may wait for a busy thread.
        assertThat(together).isGreaterThan(READS);
    }

    @Test
    void whatAnotherHostWritesInBetweenCostsNothing() throws Exception {
        Path project = Projects.make(root);
        AtomicBoolean over = new AtomicBoolean();
        try (PostgresStore other =
                PostgresStore.open(DATABASE, new Uuid7(Clock.systemUTC(), new SecureRandom()))) {
            Thread writer =
                    Thread.ofVirtual()
                            .start(() -> {
                                while (!over.get()) {
                                    noteFrom(other, project);
                                }
                            });
            Ran ran = host.in(project).exec(reads(), "Read it, whoever writes.");
            over.set(true);
            writer.join();

            assertThat(ran.exit()).as(ran.err()).isZero();
        }
        Session session = session(project);
        host.awaitIdle(session.id());
        List<Written> all = written(session);
        assertThat(all).filteredOn(one -> one.kind().equals("result")).hasSize(READS);
        assertThat(all).filteredOn(one -> one.kind().equals("model_reply")).hasSize(READS + 1);
        assertThat(all).filteredOn(one -> one.kind().equals("note")).hasSizeGreaterThan(READS);
        assertThat(host.store().journal().verify(TestHost.ORG, session.id()))
                .isInstanceOf(Verification.Sound.class);
    }

    /** Unless the session is not there yet. */
    private static void noteFrom(PostgresStore other, Path project) {
        Note note = new Note("from-elsewhere", "a note", Map.of());
        Optional<Session> there = other.journal().newestAt(TestHost.ORG, project.toString());
        there.ifPresent(session ->
                assertThat(
                                other.ledger()
                                        .append(
                                                TestHost.ORG,
                                                session.id(),
                                                NewEntry.ofHost(
                                                        EntryKind.NOTE,
                                                        Optional.empty(),
                                                        NoteWire.encode(note))))
                        .isInstanceOf(Appended.Committed.class));
    }
}
