package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.protocol.Blob;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.wire.EventWire;
import ai.hanzo.dev.protocol.wire.NoteWire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hanzo dev verify} names the first thing that is not as it was written. */
class VerifyIT {
    @TempDir Path root;
    private final DatabaseConfig database = Databases.fresh();
    private Path home;
    private Path project;
    private TestHost host;
    private Session session;

    @BeforeEach
    void workABit() {
        home = root.resolve("home");
        project = Projects.make(root);
        host = new TestHost(home, database, java.util.function.UnaryOperator.identity());
        String script =
                new Scripts()
                        .sh("echo one > one; seq 1 100000")
                        .call("write", "path", "two", "text", "2\n")
                        .say("Done.")
                        .text();
        Ran ran = host.in(project).exec(script, "Go.");
        assertThat(ran.exit()).as(ran.err()).isZero();
        session = host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
        host.awaitIdle(session.id());
    }

    @AfterEach
    void close() {
        host.close();
    }

    private Ran verify() {
        return host.in(project).run("verify", session.id().value());
    }

    private void tamper(String sql) throws SQLException {
        try (Connection db =
                        DriverManager.getConnection(
                                database.url(),
                                database.owner().user(),
                                database.owner().password());
                Statement statement = db.createStatement()) {
            statement.execute("SET session_replication_role = replica");
            String where = " session_id = '" + session.id() + "'";
            assertThat(statement.executeUpdate(sql + where)).isEqualTo(1);
        }
    }

    private List<Entry> entries() {
        return host.store().journal().entries(TestHost.ORG, session.id(), new Seq(0), 1000);
    }

    private Path file(String hex) {
        return home.resolve("blobs/objects").resolve(hex.substring(0, 2)).resolve(hex.substring(2));
    }

    /** The first entry of a kind of which {@code find} makes something, with that. */
    private <T> java.util.Map.Entry<Seq, T> first(EntryKind kind, Function<Entry, List<T>> find) {
        return entries().stream()
                .filter(entry -> entry.kind().equals(kind))
                .flatMap(entry ->
                        find.apply(entry).stream()
                                .map(found -> java.util.Map.entry(entry.seq(), found)))
                .findFirst()
                .orElseThrow();
    }

    /** The first output that is kept whole, and the entry that names it. */
    private java.util.Map.Entry<Seq, Blob> firstOutput() {
        return first(
                EntryKind.RESULT,
                entry -> ((Event.Result) EventWire.decode(entry.payload())).outcome().artifacts());
    }

    @Test
    void whatNobodyTouchedIsSound() {
        Ran ran = verify();

        assertThat(ran.exit()).as(ran.out() + ran.err()).isZero();
        assertThat(ran.out())
                .startsWith("sound: " + entries().size() + " entries, ")
                .contains(entries().getLast().digest().toHex());
        assertThat(host.in(project).run("--json", "verify", session.id().value()).out())
                .contains("\"sound\":true");
    }

    @Test
    void aChangedEntryIsNamed() throws SQLException {
        tamper("UPDATE entries SET payload = payload || 'x' WHERE seq = 5 AND");

        Ran ran = verify();

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.out())
                .isEqualTo("entry 5, entry: Its content is not what its digest says.\n");
    }

    @Test
    void aSnapshotThatIsNoneIsNamed() throws SQLException {
        tamper("UPDATE snapshots SET state = substr(state, 1, length(state) / 2) WHERE");

        Ran ran = verify();

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.out())
                .contains(", snapshot: The snapshot was not sealed under the organisation's key");
    }

    @Test
    void aSnapshotOfAnotherTimeIsNamed() throws SQLException {
        tamper("UPDATE snapshots SET through_seq = 1 WHERE");
        assertThat(verify().out())
                .startsWith(
                        "entry 1, snapshot: The snapshot is older than the last entry that the core"
                                + " has eaten");

        tamper("UPDATE snapshots SET through_seq = 9999 WHERE");
        assertThat(verify().out()).startsWith("entry 9999, snapshot: The snapshot is of a later");

        tamper("DELETE FROM snapshots WHERE");
        Ran ran = verify();
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.out()).contains("snapshot: The snapshot is missing.");
    }

    @Test
    void aStoredOutputThatIsGoneIsNamedWithTheEntryThatNamesIt() throws IOException {
        var artifact = firstOutput();
        Blob blob = artifact.getValue();
        Files.delete(file(blob.digest().toHex()));

        Ran ran = verify();

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.out())
                .startsWith("entry " + artifact.getKey() + ", blob: ")
                .contains(blob.digest().toHex());
    }

    @Test
    void aRowOfAStoredOutputThatIsGoneOrChangedOrTooManyIsNamedWithItsEntry() throws SQLException {
        Seq seq = firstOutput().getKey();
        String fault =
                "entry "
                        + seq
                        + ", entry: The rows of its stored outputs are missing or were"
                        + " changed.\n";
        tamper("UPDATE artifacts SET size_bytes = size_bytes + 1 WHERE");
        assertThat(verify().out()).isEqualTo(fault);
        tamper("UPDATE artifacts SET size_bytes = size_bytes - 1 WHERE");
        assertThat(verify().exit()).isZero();

        tamper(
                "INSERT INTO artifacts (session_id, action_id, name, org_id, sha256, size_bytes,"
                        + " media_type) SELECT session_id, action_id, 'more', org_id, sha256,"
                        + " size_bytes, media_type FROM artifacts WHERE");
        assertThat(verify().out()).isEqualTo(fault);
        tamper("DELETE FROM artifacts WHERE name = 'more' AND");
        assertThat(verify().exit()).isZero();

        tamper("DELETE FROM artifacts WHERE");
        Ran ran = verify();
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.out()).isEqualTo(fault);
    }

    @Test
    void aFileOfTheWorkspaceThatWasChangedInTheStoreIsNamedWithItsCheckpoint() throws IOException {
        var checkpoint =
                first(
                        EntryKind.NOTE,
                        entry -> {
                            Note note = NoteWire.decode(entry.payload());
                            return note.fact("snapshot").stream().toList();
                        });
        Path stored =
                file(
                        ai.hanzo.dev.protocol.Sha256.of(ai.hanzo.dev.protocol.Bytes.utf8("hello\n"))
                                .toHex());
        Files.setPosixFilePermissions(stored, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(stored, "hullo\n");

        Ran ran = verify();

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.out()).startsWith("entry " + checkpoint.getKey() + ", blob: ");
    }

    @Test
    void anotherOrgsSessionIsNotFound() {
        Ran ran = host.in(project).run("verify", "ses_00000000000000000000000000");

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains("There is no session");
    }
}
