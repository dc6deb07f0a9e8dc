package ai.hanzo.dev.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.wire.NoteWire;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A person's terminal in the cell of a session: the real command, on a real terminal. */
@Timeout(180)
class ShellIT {
    private static final Pattern SHELL = Pattern.compile("shl_[0-9a-f]{16}");

    @TempDir static Path root;
    private static TestHost host;
    private Path project;
    private SessionId session;

    @BeforeAll
    static void start() {
        host = new TestHost(root.resolve("home"));
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    @BeforeEach
    void session() {
        project = Projects.make(root);
        session = session(host.send("POST", "/v1/dev", body(project)));
    }

    private static String body(Path project) {
        return """
        {"prompt": "Go.", "model": "script:shell", "script": %s, "workspace": {"path": "%s"}}
        """
                .formatted(Lines.quoted(new Scripts().say("Here.").text()), project);
    }

    private static SessionId session(HttpResponse<String> started) {
        assertThat(started.statusCode()).as(started.body()).isEqualTo(201);
        return new SessionId(Lines.json(started.body()).path("id").asText());
    }

    private TerminalRun shell(String... arguments) {
        return new TerminalRun(root.resolve("home"), project, session, arguments);
    }

    private List<String> notes() {
        return host.store().journal().entries(TestHost.ORG, session, new Seq(0), 1000).stream()
                .filter(entry -> entry.kind().equals(EntryKind.NOTE))
                .map(entry -> NoteWire.decode(entry.payload()))
                .filter(note -> note.topic().equals("shell"))
                .map(Note::text)
                .toList();
    }

    @Test
    void aShellIsATerminalInTheCellAndItsExitIsThatOfTheCommand() {
        try (TerminalRun run = shell()) {
            run.type("stty -echo; cat hello.txt; pwd; tty -s && echo is-a-tty; echo s$((40+2))\r");
            run.until("s42");
            assertThat(run.output())
                    .contains("hello\r\n", project.toString(), "is-a-tty")
                    .doesNotContain("Traceback");
            run.type("echo x > made; exit 7\r");
            run.until("code=7");
            run.until("restored");
        }
        assertThat(project.resolve("made")).hasContent("x\n");
        Waiting.until(() -> notes().size() == 2);
        assertThat(notes().getFirst()).matches("a person opened shell shl_[0-9a-f]+");
        assertThat(notes().getLast()).isEqualTo("a shell ended: exit 7");
    }

    @Test
    void theProgramIsToldWhenTheTerminalChangesItsSize() {
        try (TerminalRun run = shell("--", "sh", "-c", sizes())) {
            run.until("ready");
            run.resize(120, 50);
            run.until("size 50 120");
            run.type("\003");
            run.until("code=130");
        }
    }

    private static String sizes() {
        return "trap 'echo size $(stty size)' WINCH; echo ready; while :; do sleep 0.1; done";
    }

    @Test
    void whoDetachesLeavesItRunningAndComesBack() {
        String shell;
        try (TerminalRun run = shell()) {
            run.type("stty -echo; x=remembered; echo re''ady\r");
            run.until("ready");
            run.type("\035d");
            run.until("code=0");
            Matcher found = SHELL.matcher(run.output());
            assertThat(found.find()).isTrue();
            shell = found.group();
            run.until("restored");
        }
        try (TerminalRun run = shell("--attach", shell)) {
            run.until("ready");
            run.type("echo $x-again; exit 5\r");
            run.until("remembered-again");
            run.until("code=5");
        }
        // Its end can still be asked for.
        try (TerminalRun run = shell("--attach", shell)) {
            run.until("remembered-again");
            run.until("code=5");
        }
    }

    @Test
    void theTerminalIsPutBackHoweverTheCommandDies() {
        for (String signal : List.of("KILL", "TERM", "HUP")) {
            try (TerminalRun run = shell()) {
                run.type("echo re''ady\r");
                run.until("ready");
                run.signal(signal);
                run.until("code=1");
                run.until("restored");
            }
        }
    }

    @Test
    void aFloodCanBeInterrupted() {
        try (TerminalRun run = shell()) {
            run.type("stty -echo; yes\r");
            run.until("y\r\ny\r\n");
            run.type("\003");
            run.type("echo still-$((1+1)); exit 3\r");
            run.until("still-2");
            run.until("code=3");
        }
    }

    @Test
    void withoutATerminalItSaysWhatItNeeds() {
        Hanzo.Ran ran = host.in(project).run("shell", session.value());
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("needs a terminal");
    }

    @Test
    void whatIsNotThereIsRefused() {
        String path = "/v1/dev/" + session + "/shell";
        assertThat(host.send("GET", path + "/shl_4000000000000000", "").body())
                .contains("never ran");
        assertThat(host.send("GET", path + "/7", "").statusCode()).isEqualTo(404);
        assertThat(host.send("POST", path, "{\"columns\": 70000}").statusCode()).isEqualTo(400);
        host.send("DELETE", "/v1/dev/" + session, "");
        assertThat(host.send("POST", path, "{}").body()).contains("session_stopped");
    }

    /** The host dies, the shell does not: the next host goes on where the first one was. */
    @Test
    void aShellOutlivesItsHost() throws Exception {
        Path home = root.resolve("other");
        var database = Databases.fresh();
        try (var _ = new Ended(home)) {
            String path;
            try (ForkedHost first = new ForkedHost(home, database)) {
                SessionId own = session(Requests.send(home, "POST", "/v1/dev", body(project)));
                path = "/v1/dev/" + own + "/shell";
                String command = "{\"argv\": [\"sh\", \"-c\", \"echo one; read x; echo $x\"]}";
                JsonNode opened = Lines.json(Requests.send(home, "POST", path, command).body());
                path += "/" + opened.path("id").asText();
                first.kill();
            }
            try (ForkedHost _ = new ForkedHost(home, database)) {
                String shell = path;
                CompletableFuture<HttpResponse<String>> heard =
                        CompletableFuture.supplyAsync(
                                () -> Requests.send(home, "GET", shell, "", "Last-Event-ID", "2"));
                String typed = Base64.getEncoder().encodeToString("two\n".getBytes(UTF_8));
                Waiting.until(() ->
                        Requests.send(
                                                home,
                                                "POST",
                                                shell + "/input",
                                                "{\"data\": \"" + typed + "\"}")
                                        .statusCode()
                                == 200);
                assertThat(printed(heard.get().body())).isEqualTo("e\r\ntwo\r\ntwo\r\n");
                assertThat(heard.get().body()).endsWith("event: exit\ndata: {\"exit\":0}\n\n");
            }
        }
    }

    private record Ended(Path home) implements AutoCloseable {
        @Override
        public void close() {
            TestHost.endCells(home);
        }
    }

    private static String printed(String events) {
        var text = new StringBuilder();
        events.lines()
                .filter(line -> line.startsWith("data: ") && !line.contains("{"))
                .map(line -> Base64.getDecoder().decode(line.substring("data: ".length())))
                .forEach(bytes -> text.append(new String(bytes, UTF_8)));
        return text.toString();
    }

    /** {@code hanzo dev shell} in a process of its own, on a terminal that script(1) makes. */
    private static final class TerminalRun implements AutoCloseable {
        private final Process process;
        private final Path out;

        TerminalRun(Path home, Path project, SessionId session, String... arguments) {
            try {
                out = Files.createTempFile(project.getParent(), "terminal", ".txt");
                Path command = Files.createTempFile(project.getParent(), "shell", ".sh");
                Files.writeString(
                        command,
                        """
                        "%s" --enable-native-access=ALL-UNNAMED \
                          --sun-misc-unsafe-memory-access=allow -XX:+UseSerialGC \
                          -XX:TieredStopAtLevel=1 -Dhanzo.build=%s -Dhanzo.terminal=true \
                          -cp "%s" %s dev shell %s "$@"
                        echo "code=$?"
                        until stty -a | grep -q ' icanon .* echo '; do sleep 0.1; done
                        echo restored
                        """
                                .formatted(
                                        Path.of(System.getProperty("java.home"), "bin", "java"),
                                        TestHost.BUILD,
                                        System.getProperty("java.class.path"),
                                        Main.class.getName(),
                                        session));
                var line = new StringBuilder("sh ").append(command);
                for (String argument : arguments) {
                    line.append(" '").append(argument.replace("'", "'\\''")).append('\'');
                }
                ProcessBuilder builder =
                        new ProcessBuilder("script", "-qefc", line.toString(), "/dev/null")
                                .directory(project.toFile());
                builder.environment().put("HANZO_HOME", home.toString());
                builder.environment().put("SHELL", "/bin/sh");
                builder.redirectErrorStream(true);
                builder.redirectOutput(out.toFile());
                process = builder.start();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        void type(String keys) {
            try {
                process.getOutputStream().write(keys.getBytes(UTF_8));
                process.getOutputStream().flush();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(output(), e);
            }
        }

        String output() {
            try {
                return new String(
                        Files.readAllBytes(out), java.nio.charset.StandardCharsets.ISO_8859_1);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        void until(String text) {
            Waiting.until(() -> {
                if (!process.isAlive() && !output().contains(text)) {
                    throw new AssertionError("it ended without " + text + ":\n" + output());
                }
                return output().contains(text);
            });
        }

        private ProcessHandle java() {
            return process.descendants()
                    .filter(child -> child.info().command().orElse("").endsWith("/java"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no java:\n" + output()));
        }

        void resize(int columns, int rows) {
            String terminal = terminal().orElseThrow();
            run("stty", "-F", terminal, "cols", "" + columns, "rows", "" + rows);
        }

        private Optional<String> terminal() {
            try {
                Path link = Path.of("/proc", Long.toString(java().pid()), "fd", "0");
                return Optional.of(Files.readSymbolicLink(link).toString());
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        void signal(String name) {
            run("kill", "-" + name, Long.toString(java().pid()));
        }

        private static void run(String... command) {
            try {
                assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            process.onExit().join();
        }
    }
}
