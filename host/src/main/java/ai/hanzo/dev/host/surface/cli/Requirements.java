package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.local.Home;
import ai.hanzo.dev.host.local.LocalException;
import ai.hanzo.dev.host.local.LocalHosts;
import ai.hanzo.dev.host.model.ProviderSettings;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What hanzo dev needs of a machine, found out without changing it. */
final class Requirements {
    private static final long MIN_FREE_BYTES = 1L << 30;

    private final Cli cli;
    private final Optional<String> database;
    private final int port;

    /**
     * One of them.
     *
     * @param found what there is, in a line
     * @param fix what to do; empty when it is met
     * @param optional work is possible without it
     */
    record Requirement(String name, String found, Optional<String> fix, boolean optional) {}

    /** With the database and the port that {@code serve} would be given; 0 is any free one. */
    Requirements(Cli cli, Optional<String> database, int port) {
        this.cli = cli;
        this.database = database;
        this.port = port;
    }

    List<Requirement> all() {
        var all = new ArrayList<Requirement>();
        all.add(java());
        all.add(system());
        all.add(tool("gcc", "apt-get install gcc", false));
        all.add(tool("make", "apt-get install make", false));
        all.addAll(new SandboxRequirements(cli.programs().sandbox()).all());
        all.add(core());
        all.add(home());
        all.add(space());
        all.add(database());
        all.add(port());
        all.add(host());
        all.add(model());
        all.add(tool("git", "apt-get install git, for agents that commit", true));
        return all;
    }

    static Requirement met(String name, String found) {
        return new Requirement(name, found, Optional.empty(), false);
    }

    static Requirement missing(String name, String found, String fix) {
        return new Requirement(name, found, Optional.of(fix), false);
    }

    private static Requirement java() {
        int feature = Runtime.version().feature();
        return feature >= 25
                ? met("JDK 25", Runtime.version().toString())
                : missing("JDK 25", "Java " + feature, "Install a JDK 25 and set HANZO_JAVA_HOME.");
    }

    private static Requirement system() {
        String system =
                System.getProperty("os.name")
                        + " "
                        + System.getProperty("os.version")
                        + " "
                        + System.getProperty("os.arch");
        return system.startsWith("Linux") && system.endsWith("amd64")
                ? met("Linux on x86_64", system)
                : missing(
                        "Linux on x86_64",
                        system,
                        "Use a host on such a machine with --host URL and HANZO_TOKEN.");
    }

    private Requirement tool(String name, String fix, boolean optional) {
        for (String directory :
                cli.io().environment().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            Path file = Path.of(directory.isEmpty() ? "." : directory, name);
            if (Files.isExecutable(file) && !Files.isDirectory(file)) {
                return new Requirement(name, file.toString(), Optional.empty(), optional);
            }
        }
        return new Requirement(name, "not on PATH", Optional.of(fix), optional);
    }

    private Requirement core() {
        try {
            Programs.CoreFacts facts = cli.programs().verifyCore().builtIn();
            return facts.problems().isEmpty()
                    ? met("wasm core", facts.digest())
                    : missing(
                            "wasm core",
                            "not what it should be",
                            String.join(" ", facts.problems()));
        } catch (RuntimeException e) {
            return missing("wasm core", "not what it should be", sentence(e));
        }
    }

    static String sentence(RuntimeException e) {
        return Style.line(e.getMessage() == null ? e.toString() : e.getMessage(), 400);
    }

    private Requirement home() {
        Home home = cli.home();
        try {
            if (Files.exists(home.path(), LinkOption.NOFOLLOW_LINKS)) {
                home.ensure();
                return met("state directory", home.path().toString());
            }
        } catch (LocalException e) {
            return missing("state directory", home.path().toString(), sentence(e));
        }
        Path above = existing(home.path());
        return Files.isDirectory(above) && Files.isWritable(above)
                ? met("state directory", home.path() + ", made at the first start")
                : missing(
                        "state directory",
                        home.path() + " cannot be made in " + above,
                        "Set HANZO_HOME to a directory that you can write.");
    }

    private static Path existing(Path path) {
        Path at = path;
        while (at.getParent() != null && !Files.exists(at)) {
            at = at.getParent();
        }
        return at;
    }

    private Requirement space() {
        Path at = existing(cli.home().path());
        try {
            long free = Files.getFileStore(at).getUsableSpace();
            String found = (free >> 20) + " MiB free";
            return free >= MIN_FREE_BYTES
                    ? met("disk", found)
                    : missing(
                            "disk",
                            found,
                            "Make room on the disk of " + at + ", or set HANZO_HOME elsewhere.");
        } catch (IOException e) {
            return missing("disk", "unknown", "Look whether " + at + " can be read.");
        }
    }

    private Requirement database() {
        String name = database.isPresent() ? "database" : "PostgreSQL";
        try {
            return met(name, cli.programs().database().check(cli.home().path(), database));
        } catch (RuntimeException e) {
            return missing(name, "cannot be used", sentence(e));
        }
    }

    private Requirement port() {
        String name = port == 0 ? "port" : "port " + port;
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return met(name, "127.0.0.1:" + socket.getLocalPort() + " is free");
        } catch (IOException e) {
            return missing(
                    name,
                    "cannot be had on 127.0.0.1: " + e.getMessage(),
                    "Choose another with --port, or end what listens there (ss -ltnp shows it).");
        }
    }

    private Requirement host() {
        return switch (cli.localHosts().status()) {
            case LocalHosts.Status.Down() ->
                    new Requirement(
                            "host",
                            "does not run",
                            Optional.of("The next command starts it; or hanzo dev host start."),
                            true);
            case LocalHosts.Status.Stale(long pid) ->
                    new Requirement(
                            "host",
                            "pid " + pid + " is gone",
                            Optional.of("The next command starts another."),
                            true);
            case LocalHosts.Status.Up(var file, var missing, boolean _) ->
                    new Requirement(
                            "host",
                            "at " + file.address() + missing.map(m -> ", " + m).orElse(""),
                            missing.map(_ -> "Look at its log: " + cli.home().hostLog()),
                            true);
        };
    }

    private Requirement model() {
        ProviderSettings settings = ProviderSettings.of(cli.io().environment());
        List<String> set =
                ProviderSettings.VARIABLES.stream()
                        .filter(name -> settings.value(name).isPresent())
                        .toList();
        return set.isEmpty()
                ? new Requirement(
                        "model provider",
                        "no variable is set",
                        Optional.of(
                                "Set OPENAI_API_KEY or ANTHROPIC_API_KEY, or run Ollama; a script"
                                        + " needs none."),
                        true)
                : new Requirement("model provider", String.join(", ", set), Optional.empty(), true);
    }
}
