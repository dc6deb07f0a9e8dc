package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.protocol.id.Seq;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * D12: a snapshot that was not sealed under the organisation's key is never used. The core eats the
 * journal again, and the work goes on by itself.
 */
class SealIT {
    @TempDir Path root;
    private final DatabaseConfig database = Databases.fresh();
    private Path home;
    private Path project;
    private Session session;

    @BeforeEach
    void workABit() {
        home = root.resolve("home");
        project = Projects.make(root);
        try (TestHost host = host()) {
            turn(host, "Go.", work());
        }
    }

    /** Two turns: a script goes on where the session is in it. */
    private static Scripts work() {
        return new Scripts().sh("echo one > one").say("First.").sh("cat one > two").say("Second.");
    }

    private TestHost host() {
        return new TestHost(home, database, UnaryOperator.identity());
    }

    private void turn(TestHost host, String prompt, Scripts script, String... options) {
        Projects.write(project.resolve("script.json"), script.text());
        var arguments = new java.util.ArrayList<>(java.util.List.of(options));
        arguments.addAll(java.util.List.of("exec", "--model", "script:script.json", prompt));
        var ran = host.in(project).run(arguments.toArray(String[]::new));
        assertThat(ran.exit()).as(ran.err()).isZero();
        session = host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
        host.awaitIdle(session.id());
    }

    private Snapshot snapshot(TestHost host) {
        return host.store().journal().snapshot(TestHost.ORG, session.id()).orElseThrow();
    }

    private void set(String columns, Object... values) throws SQLException {
        try (Connection db =
                        DriverManager.getConnection(
                                database.url(),
                                database.owner().user(),
                                database.owner().password());
                PreparedStatement update =
                        db.prepareStatement(
                                "UPDATE snapshots SET " + columns + " WHERE session_id = ?")) {
            for (int i = 0; i < values.length; i++) {
                update.setObject(i + 1, values[i]);
            }
            update.setString(values.length + 1, session.id().value());
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
    }

    /** A second turn goes on from the first, whatever stands in the table. */
    private void goesOn() {
        try (TestHost host = host()) {
            long before = highestAction(host);
            turn(host, "On.", work(), "--continue");
            assertThat(project.resolve("two")).hasContent("one");
            assertThat(highestAction(host)).isBetween(before + 1, before + 20);
            assertThat(snapshot(host).mac().length()).isEqualTo(32);
            var verified = host.in(project).run("verify", session.id().value());
            assertThat(verified.exit()).as(verified.out() + verified.err()).isZero();
        }
    }

    private long highestAction(TestHost host) {
        return host
                .store()
                .journal()
                .entries(TestHost.ORG, session.id(), new Seq(0), 1_000)
                .stream()
                .filter(entry -> entry.kind().equals(EntryKind.ACTION))
                .mapToLong(entry ->
                        ai.hanzo.dev.protocol.wire.ActionWire.decode(entry.payload()).id().value())
                .max()
                .orElseThrow();
    }

    @Test
    void d12ASnapshotWithoutASealIsNotUsed() throws SQLException {
        set("mac = ?", (Object) new byte[0]);
        goesOn();
    }

    /** The state of another session has a right checksum, and a seal too: for another place. */
    @Test
    void d12ASnapshotOfAnotherSessionIsNotUsed() throws SQLException {
        Session first = session;
        Snapshot foreign;
        Path other = root.resolve("other");
        Projects.write(other.resolve("a"), "a\n");
        Path kept = project;
        project = other;
        try (TestHost host = host()) {
            var busy = new Scripts();
            for (int i = 0; i < 30; i++) {
                busy.sh("true");
            }
            turn(host, "Other work.", busy.say("Enough."));
            foreign = snapshot(host);
        }
        project = kept;
        session = first;
        set("state = ?, mac = ?", foreign.state().toArray(), foreign.mac().toArray());
        goesOn();
    }

    @Test
    void d12AChangedSnapshotIsNotUsed() throws SQLException {
        set("state = substr(state, 1, length(state) / 2)");
        goesOn();
    }

    @Test
    void d08ASnapshotOfTheFutureIsNotUsed() throws SQLException {
        set("through_seq = 9999");
        goesOn();
    }

    @Test
    void aKeyThatOthersCanReadIsRefusedWithWhatToDo() throws IOException {
        Path key = home.resolve("keys/org.key");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> OrgKeys.of(home, Map.of(), new Random(1)))
                .isInstanceOf(HostException.class)
                .hasMessage(
                        "The organisation's key "
                                + key
                                + " cannot be used: others can read or change it: chmod 600 "
                                + key
                                + ".");
    }

    @Test
    void theKeyIsMadeOnceAndKept() throws IOException {
        Path key = home.resolve("keys/org.key");
        String text = Files.readString(key);
        assertThat(text).matches("[0-9a-f]{64}\n");
        OrgKeys keys = OrgKeys.of(home, Map.of(), new Random(1));
        assertThat(Files.readString(key)).isEqualTo(text);
        assertThat(keys.derive("snapshot", TestHost.ORG))
                .isEqualTo(
                        OrgKeys.of(home, Map.of(), new Random(2)).derive("snapshot", TestHost.ORG))
                .isNotEqualTo(keys.derive("other", TestHost.ORG))
                .isNotEqualTo(
                        keys.derive("snapshot", new ai.hanzo.dev.protocol.id.OrgId("another")));
    }

    @Test
    void aKeyThatIsGivenButMissingOrBrokenIsRefused() throws IOException {
        Path missing = root.resolve("missing");
        assertThatThrownBy(() -> keysFrom(missing)).hasMessageContaining("it is not there");
        Path broken = root.resolve("broken");
        Files.writeString(broken, "abc");
        Files.setPosixFilePermissions(broken, PosixFilePermissions.fromString("rw-------"));
        assertThatThrownBy(() -> keysFrom(broken)).hasMessageContaining("64 hexadecimal digits");
        Files.writeString(broken, "0".repeat(64));
        assertThatThrownBy(() -> keysFrom(broken)).hasMessageContaining("all zeros are no secret");
    }

    @Test
    void aKeyThatOthersCanReplaceIsRefused() throws IOException {
        Path folder = Files.createDirectory(root.resolve("open"));
        Path key = folder.resolve("org.key");
        Files.copy(home.resolve("keys/org.key"), key, StandardCopyOption.COPY_ATTRIBUTES);
        assertThat(keysFrom(key).derive("snapshot", TestHost.ORG)).isNotNull();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> keysFrom(key))
                .hasMessageContaining("others can replace it: chmod go-w " + folder);
    }

    private OrgKeys keysFrom(Path file) {
        return OrgKeys.of(home, Map.of(OrgKeys.VARIABLE, file.toString()), new Random(1));
    }
}
