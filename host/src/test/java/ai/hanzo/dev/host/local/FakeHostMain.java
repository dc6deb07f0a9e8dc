package ai.hanzo.dev.host.local;

import ai.hanzo.dev.host.op.DevService;
import ai.hanzo.dev.host.op.FakeFiles;
import ai.hanzo.dev.host.op.FakeHost;
import ai.hanzo.dev.host.op.FakeShells;
import ai.hanzo.dev.host.op.SessionFiles;
import ai.hanzo.dev.host.op.ShellSource;
import ai.hanzo.dev.host.op.StreamSource;
import ai.hanzo.dev.host.surface.rest.Serving;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A host process with a fake inside, for tests that need real processes. */
public final class FakeHostMain {
    private FakeHostMain() {}

    /**
     * Arguments: {@code host BUILD [IDLE_MILLIS | fail | another | once]}, or {@code client BUILD
     * HOME}.
     */
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments[0].equals("client")) {
            Endpoint endpoint =
                    new LocalHosts(
                                    new Home(java.nio.file.Path.of(arguments[2])),
                                    arguments[1],
                                    launch(arguments[1]),
                                    _ -> {})
                            .ensure();
            System.out.println(endpoint.address());
            return;
        }
        String last = arguments[arguments.length - 1];
        if (last.equals("fail")) {
            System.out.println("The database cannot be opened; look at its log.");
            System.exit(1);
        }
        if (last.equals("another")) {
            System.out.println("A host already works here.");
            System.exit(LocalHosts.ANOTHER_WORKS);
        }
        Home home = Home.of(Map.copyOf(System.getenv()));
        if (last.equals("once") && home.path().resolve("killed").toFile().mkdir()) {
            kill();
        }
        Optional<Duration> idle =
                last.matches("[0-9]+")
                        ? Optional.of(Duration.ofMillis(Long.parseLong(last)))
                        : Optional.empty();
        new Serving(
                        new Serve(
                                home,
                                Optional.empty(),
                                "127.0.0.1",
                                0,
                                Set.of(),
                                idle,
                                arguments[1]),
                        (_, _) -> new FakeServices(),
                        System.out)
                .run();
    }

    /** As nobody can who asks to be ended. */
    private static void kill() throws InterruptedException {
        String me = Long.toString(ProcessHandle.current().pid());
        try {
            new ProcessBuilder("kill", "-9", me).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How tests start one. */
    static Launch launch(String... arguments) {
        Launch base = Launch.ofThisProgram(FakeHostMain.class.getName(), List.of("OPENAI_API_KEY"));
        var command = new java.util.ArrayList<>(base.command());
        command.addAll(
                2,
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dlogback.configurationFile=logback-host.xml"));
        command.addAll(List.of(arguments));
        return new Launch(command, base.without());
    }

    private static final class FakeServices implements HostServices {
        @Override
        public void keepSecret(String secret) {}

        private final FakeHost host = new FakeHost();
        private final FakeShells shells = new FakeShells();

        @Override
        public DevService service() {
            return host;
        }

        @Override
        public StreamSource streams() {
            return host;
        }

        @Override
        public ShellSource shells() {
            return shells;
        }

        @Override
        public SessionFiles files() {
            return new FakeFiles();
        }

        @Override
        public List<String> missing() {
            return List.of();
        }

        @Override
        public boolean busy() {
            return false;
        }

        @Override
        public void close() {}
    }
}
