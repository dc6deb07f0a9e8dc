package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import ai.hanzo.dev.host.core.CoreLimits;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.core.WasmCores;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.TableDump;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets in every place where one can come in, and a search for them in all that is stored. The
 * work itself gets them as they are. One session for all tests; each leaves it as it found it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecretsIT {
    /** By its shape; in two parts, as the command that prints it has it. */
    private static final String SHAPE = "abcdefghijklmnopqrstuvwxyz0123456789";

    private static final String TOKEN = "ghp_" + SHAPE;

    /** By the host's environment. */
    private static final String KNOWN = "known-canary-7c1d";

    /** All digits of it in the base64 that a command prints, with a byte before it. */
    private static final String PRINTED =
            Base64.getEncoder()
                    .withoutPadding()
                    .encodeToString(("\n" + KNOWN).getBytes(StandardCharsets.UTF_8))
                    .substring(2);

    /** Nobody knows that these are secrets. */
    private static final String WRITTEN = "written-canary-7c1d";

    private static final String TYPED = "typed-canary-7c1d";
    private static final String SET = "set-canary-7c1d";
    private static final String HEADER = "header-canary-7c1d";
    private static final String SENT = "sent-canary-7c1d";
    private static final List<String> ALL =
            List.of(TOKEN, KNOWN, WRITTEN, TYPED, SET, HEADER, SENT);

    @TempDir static Path root;
    private final DatabaseConfig database = Databases.fresh();
    private Path home;
    private Path project;
    private TestHost host;
    private Session session;

    @BeforeAll
    void workWithSecrets() {
        home = root.resolve("home");
        project = Projects.make(root);
        Projects.write(project.resolve("half"), KNOWN.substring(0, 8));
        host = host(home, database);
        Ran ran = host.in(project).exec(script(), "Use " + TOKEN + " and " + KNOWN + ", please.");
        assertThat(ran.exit()).as(ran.err()).isZero();
        session = host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
        host.awaitIdle(session.id());
    }

    @AfterAll
    void close() {
        host.close();
    }

    private static TestHost host(Path home, DatabaseConfig database) {
        HostConfig config =
                HostConfig.of(home, Map.of("SERVICE_TOKEN", KNOWN)).withDatabase(database);
        return new TestHost(
                home, database, (TestHost.Assembler) whenDead -> new Assembly(config, whenDead));
    }

    private static String script() {
        return new Scripts()
                .sh(
                        "printf 'ghp_%s\\n' "
                                + SHAPE
                                + "; cat half; echo -canary-7c1d;"
                                + " (echo; cat half; printf %s -canary-7c1d) | base64; seq 1 30000")
                .call("write", "path", "w", "text", WRITTEN)
                .call(
                        "exec",
                        Lines.object(
                                """
                                {"argv": ["sh", "-c", "cat > typed; printf %%s \\"$NAME\\" > set"],
                                 "stdin": "%s", "env": {"NAME": "%s"}}
                                """
                                        .formatted(TYPED, SET)))
                .call(
                        "browse",
                        Lines.object(
                                """
                                {"url": "http://no-such-host.invalid/", "body": "%s",
                                 "headers": {"authorization": "%s"}}
                                """
                                        .formatted(SENT, HEADER)))
                .call("exec", Lines.object("{\"argv\": [\"echo\", \"" + TOKEN + "\"]}"))
                .say("It is " + TOKEN + ".")
                .say("On it goes.")
                .text();
    }

    private String journal() {
        Ran log = host.in(project).run("--json", "log", session.id().value());
        assertThat(log.exit()).as(log.err()).isZero();
        return log.out();
    }

    /** What is stored, each thing with its name. */
    private Map<String, String> stored() throws IOException {
        Map<String, String> stored = new TreeMap<>();
        try (TableDump dump = TableDump.open(database)) {
            dump.tables().forEach(table -> stored.put(table, rows(dump, table)));
        }
        try (Stream<Path> files = Files.walk(home)) {
            files.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(home.resolve("cells")))
                    .filter(file -> !file.startsWith(home.resolve("sessions")))
                    // What the test itself gives to the command line.
                    .filter(file -> !file.getFileName().toString().startsWith("script"))
                    .forEach(file -> stored.put(file.toString(), content(file)));
        }
        return stored;
    }

    private static String rows(TableDump dump, String table) {
        var out = new ByteArrayOutputStream();
        try {
            dump.copy(table, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String content(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    private void verified(TestHost where) {
        Ran ran = where.in(project).run("verify", session.id().value());
        assertThat(ran.exit()).as(ran.out() + ran.err()).isZero();
    }

    @Test
    void nothingThatIsStoredHoldsThemAndTheWorkHadThem() throws IOException {
        assertThat(project.resolve("w")).hasContent(WRITTEN);
        assertThat(project.resolve("typed")).hasContent(TYPED);
        assertThat(project.resolve("set")).hasContent(SET);
        assertThat(journal())
                .contains("[hidden by hanzo: github-token]", "[hidden by hanzo: secret]")
                .contains("Give a command its secrets in env or stdin");

        Map<String, String> stored = stored();

        // The search does find what is there.
        assertThat(stored.values()).anyMatch(one -> one.contains(hex("half")));
        assertThat(stored.keySet())
                .contains("bodies", "session_keys", "entries")
                .anyMatch(name -> name.contains("/blobs/objects/"));
        for (Map.Entry<String, String> one : stored.entrySet()) {
            for (String secret : ALL) {
                assertThat(one.getValue().contains(secret) || one.getValue().contains(hex(secret)))
                        .as(secret + " in " + one.getKey())
                        .isFalse();
            }
            assertThat(one.getValue()).as(one.getKey()).doesNotContain(PRINTED, hex(PRINTED));
        }
        verified(host);
    }

    @Test
    void theJournalReplaysByteForByte() {
        Recorded recorded = Recorded.of(host.store().journal(), TestHost.ORG, session.id());
        try (Cores cores = new WasmCores(CoreLimits.DEFAULTS)) {
            Recorded.Replayed replayed = recorded.replay(cores);
            assertThat(replayed.actions()).isEqualTo(recorded.actions());
            assertThat(replayed.snapshot())
                    .isEqualTo(
                            host.store()
                                    .journal()
                                    .snapshot(TestHost.ORG, session.id())
                                    .orElseThrow()
                                    .state());
        }
    }

    @Test
    void aForkAndAnImportHaveTheBodiesUnderKeysOfTheirOwn() {
        Path copy = root.resolve("copy");
        Ran fork = host.in(project).run("fork", session.id().value(), copy.toString());
        assertThat(fork.exit()).as(fork.err()).isZero();
        Session forked =
                host.store().journal().newestAt(TestHost.ORG, copy.toString()).orElseThrow();
        assertThat(host.in(copy).run("verify", forked.id().value()).exit()).isZero();
        Ran on = host.in(copy).run("--continue", "exec", "Go on.");
        assertThat(on.exit()).as(on.err()).isZero();
        assertThat(on.out()).contains("On it goes.");

        Path file = root.resolve("session.hanzo");
        Ran export = host.in(project).run("export", session.id().value(), "-o", file.toString());
        assertThat(export.exit()).as(export.err()).isZero();
        Path there = root.resolve("there");
        try (TestHost other = host(there, Databases.fresh())) {
            Path arrived = root.resolve("arrived");
            Ran in = other.in(root).run("import", file.toString(), arrived.toString());
            assertThat(in.exit()).as(in.err()).isZero();
            assertThat(arrived.resolve("w")).hasContent(WRITTEN);
            verified(other);
            Ran next = other.in(arrived).run("--continue", "exec", "Go on.");
            assertThat(next.exit()).as(next.err()).isZero();
            verified(other);
        }
    }

    @Test
    void aBitThatFlipsInABodyIsNamed() throws SQLException {
        flip();

        Ran ran = host.in(project).run("verify", session.id().value());

        flip();
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.out())
                .matches("entry \\d+, blob: The body [0-9a-f]{64} is not what was sealed; .*\n");
        verified(host);
    }

    @Test
    void aPurgeTakesTheKeyAndTheBodies() throws SQLException {
        Path other = Projects.make(root);
        Ran ran =
                host.in(other)
                        .exec(
                                new Scripts()
                                        .call("write", "path", "w", "text", "x")
                                        .say("Ok.")
                                        .text(),
                                "Go.");
        assertThat(ran.exit()).as(ran.err()).isZero();
        Session over =
                host.store().journal().newestAt(TestHost.ORG, other.toString()).orElseThrow();
        assertThat(count("session_keys", over)).isOne();
        assertThat(count("bodies", over)).isPositive();
        assertThat(host.in(other).run("rm", over.id().value()).exit()).isZero();
        Waiting.until(() -> host.in(other).run("purge", over.id().value()).exit() == 0);
        assertThat(count("session_keys", over) + count("bodies", over)).isZero();
    }

    /** The organisation's key is lost: what there is can be listed, and what cannot says why. */
    @Test
    void aLostKeyIsNamedAndNewWorkGoesOn() throws IOException {
        host.close();
        Path key = home.resolve("keys/org.key");
        String former = Files.readString(key);
        Files.delete(key);
        host = host(home, database);

        assertThat(journal()).contains("[hidden by hanzo: github-token]");
        Ran verify = host.in(project).run("verify", session.id().value());
        assertThat(verify.exit()).isEqualTo(1);
        assertThat(verify.out()).contains("was not sealed under the organisation's key");
        Ran on = host.in(project).run("--continue", "exec", "Go on.");
        assertThat(on.exit()).as(on.out() + on.err()).isEqualTo(1);
        assertThat(on.out() + on.err())
                .contains("sealed under another key of the organisation")
                .contains("put the former keys/org.key back");
        Ran fresh =
                host.in(Projects.make(root))
                        .exec(
                                new Scripts()
                                        .call("write", "path", "w", "text", "x")
                                        .say("Ok.")
                                        .text(),
                                "Go.");
        assertThat(fresh.exit()).as(fresh.err()).isZero();

        host.close();
        Files.writeString(key, former);
        host = host(home, database);
        Ran again = host.in(project).run("--continue", "exec", "Go on.");
        assertThat(again.exit()).as(again.out() + again.err()).isZero();
        verified(host);
    }

    private Connection owner() throws SQLException {
        return DriverManager.getConnection(
                database.url(), database.owner().user(), database.owner().password());
    }

    private void flip() throws SQLException {
        try (Connection db = owner();
                Statement statement = db.createStatement()) {
            statement.execute("SET session_replication_role = replica");
            assertThat(
                            statement.executeUpdate(
                                    "UPDATE bodies SET sealed ="
                                            + " set_bit(sealed, 200, 1 - get_bit(sealed, 200))"
                                            + " WHERE session_id = '"
                                            + session.id()
                                            + "'"))
                    .isPositive();
        }
    }

    private int count(String table, Session of) throws SQLException {
        try (Connection db = owner();
                Statement statement = db.createStatement();
                var rows =
                        statement.executeQuery(
                                "SELECT count(*) FROM "
                                        + table
                                        + " WHERE session_id = '"
                                        + of.id()
                                        + "'")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
