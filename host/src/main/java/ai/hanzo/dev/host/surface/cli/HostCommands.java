package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.local.Home;
import ai.hanzo.dev.host.local.HostFile;
import ai.hanzo.dev.host.local.LocalHosts;
import ai.hanzo.dev.host.local.Serve;
import ai.hanzo.dev.host.surface.rest.Serving;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Commands on the host itself. */
final class HostCommands {
    private HostCommands() {}

    @Command(name = "serve", description = "Be a host, here and until Ctrl-C.")
    static final class ServeHere extends SessionCommands.Child {
        @Option(names = "--port", paramLabel = "N", description = "0, the default: any free one.")
        int port;

        @Option(
                names = "--bind",
                paramLabel = "ADDRESS",
                defaultValue = "127.0.0.1",
                description = "The address to listen at; by default only this machine's own.")
        @Nullable String address;

        @Option(
                names = "--name",
                paramLabel = "NAME",
                description = "A name that clients may call it by; repeat for more.")
        @Nullable List<String> names;

        @Option(
                names = "--db",
                paramLabel = "URL",
                description = "postgresql://…; by default a private PostgreSQL in HANZO_HOME.")
        @Nullable String database;

        @Option(
                names = "--beside",
                paramLabel = "HOST",
                description = {
                    "Serve beside the other hosts of HANZO_HOME, under this name: they share",
                    "sessions, cells and files, and one takes over when another dies."
                })
        @Nullable String beside;

        @Option(
                names = "--token-file",
                paramLabel = "FILE",
                description = {
                    "Take the token of this file (mode 0600) and not a new one: hosts behind one",
                    "address need the same."
                })
        @Nullable Path tokenFile;

        @Override
        public Integer call() throws InterruptedException {
            if (port < 0 || port > 65535) {
                throw CliException.usage("A port is 0 to 65535, not " + port + ".");
            }
            String bind = Given.value(address);
            var allowed = new HashSet<>(names == null ? List.of() : names);
            allowed.add(bind);
            new Serving(
                            new Serve(
                                    beside == null ? cli().home() : cli().home().beside(beside),
                                    Optional.ofNullable(database),
                                    bind,
                                    port,
                                    allowed,
                                    Optional.empty(),
                                    cli().programs().build()),
                            cli().programs().host(),
                            out(),
                            Optional.ofNullable(tokenFile))
                    .run();
            return Exit.COMPLETE.code();
        }
    }

    @Command(
            name = "host",
            description = "Start, stop or look at the local host.",
            subcommands = {Start.class, Stop.class, StatusOf.class})
    static final class Host implements Runnable {
        @ParentCommand @Nullable Cli cli;
        @Spec @Nullable CommandSpec spec;

        @Override
        public void run() {
            throw Given.incomplete(spec, "host start, host stop or host status");
        }
    }

    /** A command below {@code host}. */
    abstract static class BelowHost implements java.util.concurrent.Callable<Integer> {
        @ParentCommand @Nullable Host host;

        Cli cli() {
            if (host == null) {
                throw new IllegalStateException("a command ran without its parent");
            }
            return Given.parent(host.cli);
        }
    }

    @Command(name = "start", description = "Start it, if it does not run.")
    static final class Start extends BelowHost {
        @Override
        public Integer call() {
            cli().io().out().println("up at " + cli().localHosts().ensure());
            return Exit.COMPLETE.code();
        }
    }

    @Command(name = "stop", description = "End it; sessions stay and go on when it starts again.")
    static final class Stop extends BelowHost {
        @Option(
                names = "--all",
                description = {
                    "End what goes on without it, too: cells with the commands in them, and the",
                    "embedded PostgreSQL."
                })
        boolean all;

        @Override
        public Integer call() {
            if (all) {
                cli().home().besides().forEach(Stop::refuseWhileItServes);
            }
            Optional<Long> pid = cli().localHosts().stop();
            cli().io().out().println(pid.map(p -> "stopped, pid " + p).orElse("nothing runs"));
            if (all) {
                cli().programs().ending().endAll(cli().home().state());
                cli().io().out().println("its cells and its database have ended");
            }
            return Exit.COMPLETE.code();
        }

        private static void refuseWhileItServes(Home other) {
            HostFile.read(other)
                    .flatMap(HostFile::process)
                    .ifPresent(process -> {
                        throw CliException.failed(
                                ("The host %s serves here too. End it first, by kill %d; its"
                                                + " sessions go on where a host serves them.")
                                        .formatted(other.path().getFileName(), process.pid()));
                    });
        }
    }

    @Command(
            name = "status",
            description = "Say whether it runs, and where. Exit code 1: it does not.")
    static final class StatusOf extends BelowHost {
        @Override
        public Integer call() {
            return switch (cli().localHosts().status()) {
                case LocalHosts.Status.Down() -> {
                    cli().io().out().println("down");
                    yield Exit.FAILED.code();
                }
                case LocalHosts.Status.Stale(long pid) -> {
                    cli().io().out().println("down; pid " + pid + " is gone without a word");
                    yield Exit.FAILED.code();
                }
                case LocalHosts.Status.Up(var file, var missing, boolean sameBuild) -> {
                    cli().io()
                            .out()
                            .println(
                                    "up at "
                                            + file.address()
                                            + ", pid "
                                            + file.pid()
                                            + missing.map(m -> ", but " + m).orElse("")
                                            + (sameBuild
                                                    ? ""
                                                    : ", of another build: the next command"
                                                            + " replaces it"));
                    yield Exit.COMPLETE.code();
                }
            };
        }
    }
}
