package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.surface.cli.Requirements.Requirement;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Commands on this machine and this build. */
final class MachineCommands {
    private MachineCommands() {}

    /** What another module says when it fails is a sentence, and is shown as one. */
    static <T> T said(Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            throw CliException.failed(e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    @Command(
            name = "doctor",
            description = "Say what this machine has of what is needed, and how to mend the rest.")
    static final class Doctor extends SessionCommands.Child {
        @Option(
                names = "--db",
                paramLabel = "URL",
                description = "Try this database; by default the private PostgreSQL.")
        @Nullable String database;

        @Option(names = "--port", paramLabel = "N", description = "Try this port of serve.")
        int port;

        @Override
        public Integer call() {
            if (port < 0 || port > 65535) {
                throw CliException.usage("A port is 0 to 65535, not " + port + ".");
            }
            boolean complete = true;
            for (Requirement requirement :
                    new Requirements(cli(), Optional.ofNullable(database), port).all()) {
                boolean met = requirement.fix().isEmpty();
                complete &= met || requirement.optional();
                out().println(
                                (met ? "yes  " : requirement.optional() ? "no   " : "NO   ")
                                        + requirement.name()
                                        + ": "
                                        + Style.line(requirement.found(), 200));
                requirement.fix().ifPresent(fix -> out().println("       " + fix));
            }
            return (complete ? Exit.COMPLETE : Exit.FAILED).code();
        }
    }

    @Command(name = "core", description = "Look at the wasm core.", subcommands = Verify.class)
    static final class Core implements Runnable {
        @ParentCommand @Nullable Cli cli;
        @Spec @Nullable CommandSpec spec;

        @Override
        public void run() {
            throw Given.incomplete(spec, "core verify");
        }
    }

    @Command(
            name = "verify",
            description = {
                "Print what a core imports and exports, its ABI and digest, and whether its lock",
                "matches. Exit 1 if it cannot be a core of this host."
            })
    static final class Verify implements Callable<Integer> {
        private static final int WIDTH = 1_000;

        @ParentCommand @Nullable Core core;

        @Parameters(
                arity = "0..1",
                paramLabel = "FILE",
                description = "A module; the one that is built in if there is none.")
        @Nullable Path file;

        @Override
        public Integer call() {
            if (core == null) {
                throw new IllegalStateException("a command ran without its parent");
            }
            Cli cli = Given.parent(core.cli);
            Programs.CoreFacts facts = said(() -> facts(cli, file));
            // Names come out of the file: each fact stays one line.
            facts.lines().stream()
                    .map(line -> Style.line(line, WIDTH))
                    .forEach(cli.io().out()::println);
            facts.problems().stream()
                    .map(problem -> "hanzo: " + Style.line(problem, WIDTH))
                    .forEach(cli.io().err()::println);
            return (facts.problems().isEmpty() ? Exit.COMPLETE : Exit.FAILED).code();
        }

        private static Programs.CoreFacts facts(Cli cli, @Nullable Path file) {
            Programs.CoreVerifier cores = cli.programs().verifyCore();
            return file == null ? cores.builtIn() : cores.file(cli.io().directory().resolve(file));
        }
    }

    @Command(
            name = "mock-model",
            description = "Play a script as a provider of models would, for tests.")
    static final class Mock extends SessionCommands.Child {
        @Parameters(paramLabel = "FILE", description = "The replies to play.")
        @Nullable String script;

        @Option(names = "--port", paramLabel = "N", description = "0, the default: any free one.")
        int port;

        @Override
        public Integer call() throws InterruptedException {
            String content = cli().requests().file(Given.value(script), "The script");
            String address = said(() -> cli().programs().mockModel().serve(content, port));
            for (String variable :
                    List.of("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "OLLAMA_HOST")) {
                out().println(variable + "=" + address);
            }
            out().flush();
            new CountDownLatch(1).await();
            return Exit.COMPLETE.code();
        }
    }
}
