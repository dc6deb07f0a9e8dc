package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import ai.hanzo.dev.ledger.Chain;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.Seq;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** S5: what a later release wrote into a journal is kept, passed on, and in nobody's way. */
class FutureKindIT {
    private static final EntryKind TELEPATHY = new EntryKind("telepathy");

    @TempDir Path root;
    private final DatabaseConfig database = Databases.fresh();

    @Test
    void s05AnEntryOfAFutureKindTravelsUntouched() throws SQLException {
        Path project = Projects.make(root);
        try (TestHost host =
                        new TestHost(root.resolve("home"), database, UnaryOperator.identity());
                TestHost there = new TestHost(root.resolve("there"))) {
            Scripts work = new Scripts().sh("echo 1 > n").say("One.").say("Two.").say("Three.");
            Ran ran = host.in(project).exec(work.text(), "Go.");
            assertThat(ran.exit()).as(ran.err()).isZero();
            Session session =
                    host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
            host.awaitIdle(session.id());
            Seq at =
                    append(
                            host.store()
                                    .journal()
                                    .session(TestHost.ORG, session.id())
                                    .orElseThrow(),
                            host);
            String id = session.id().value();

            assertThat(host.in(project).run("verify", id).exit()).isZero();
            assertThat(host.in(project).run("log", id).out())
                    .contains("an entry of a kind this release does not know: telepathy");
            goesOn(host, project, "Two.");
            Path copy = root.resolve("copy");
            assertThat(host.in(project).run("fork", id, copy.toString()).exit()).isZero();
            goesOn(host, copy, "Three.");
            Path file = root.resolve("session.hanzo");
            assertThat(host.in(project).run("export", id, "-o", file.toString()).exit()).isZero();
            Path arrived = root.resolve("arrived");
            Ran in = there.in(root).run("import", file.toString(), arrived.toString());
            assertThat(in.exit()).as(in.err()).isZero();
            goesOn(there, arrived, "Three.");

            Entry kept = host.store().journal().entry(TestHost.ORG, session.id(), at).orElseThrow();
            assertThat(kept.kind()).isEqualTo(TELEPATHY);
            assertThat(there.store().journal().entry(TestHost.ORG, session.id(), at))
                    .contains(kept);
        }
    }

    private static void goesOn(TestHost host, Path project, String says) {
        Ran ran = host.in(project).run("--continue", "exec", "Go on.");
        assertThat(ran.exit()).as(ran.out() + ran.err()).isZero();
        assertThat(ran.out()).contains(says);
        Session session =
                host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
        host.awaitIdle(session.id());
        assertThat(host.in(project).run("verify", session.id().value()).exit()).isZero();
    }

    /** As a later release would: chained to what is there. */
    private Seq append(Session session, TestHost host) throws SQLException {
        Entry last =
                host.store()
                        .journal()
                        .entry(TestHost.ORG, session.id(), session.lastSeq())
                        .orElseThrow();
        Seq seq = new Seq(last.seq().value() + 1);
        Entry open =
                new Entry(
                        last.org(),
                        last.session(),
                        seq,
                        TELEPATHY,
                        Optional.empty(),
                        Optional.empty(),
                        Entry.FORMAT_VERSION,
                        Bytes.hex("ff00fe"),
                        last.createdAt(),
                        "later",
                        Optional.empty(),
                        last.digest(),
                        Chain.START);
        byte[] digest = Chain.digestOf(open).bytes().toArray();
        try (Connection db =
                DriverManager.getConnection(
                        database.url(), database.owner().user(), database.owner().password())) {
            try (PreparedStatement insert =
                    db.prepareStatement(
                            "INSERT INTO entries (session_id, seq, org_id, kind, format_version,"
                                    + " payload, created_at, source, prev_digest, digest) SELECT"
                                    + " session_id, ?, org_id, ?, ?, ?, created_at, ?, digest, ?"
                                    + " FROM entries WHERE session_id = ? AND seq = ?")) {
                insert.setLong(1, seq.value());
                insert.setString(2, TELEPATHY.value());
                insert.setInt(3, open.formatVersion());
                insert.setBytes(4, open.payload().toArray());
                insert.setString(5, open.source());
                insert.setBytes(6, digest);
                insert.setString(7, session.id().value());
                insert.setLong(8, last.seq().value());
                assertThat(insert.executeUpdate()).isOne();
            }
            try (PreparedStatement head =
                    db.prepareStatement(
                            "UPDATE sessions SET next_seq = ?, head_digest = ? WHERE id = ?")) {
                head.setLong(1, seq.value() + 1);
                head.setBytes(2, digest);
                head.setString(3, session.id().value());
                assertThat(head.executeUpdate()).isOne();
            }
        }
        return seq;
    }
}
