package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.surface.cli.Requirements.Requirement;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Commands on this machine and this build. */
final class MachineCommands {
    private MachineCommands() {}

    /** What another module says when it fails is a sentence, and is shown as one. */
    private static <T> T said(Supplier<T> call) {
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
        @Override
        public Integer call() {
            boolean complete = true;
            for (Requirement requirement : new Requirements(cli()).all()) {
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
            if (spec != null) {
                throw new ParameterException(spec.commandLine(), "Say which: core verify.");
            }
        }
    }

    @Command(
            name = "verify",
            description = "Check that the core imports and exports what it may, and no more.")
    static final class Verify implements Callable<Integer> {
        @ParentCommand @Nullable Core core;

        @Override
        public Integer call() {
            if (core == null) {
                throw new IllegalStateException("a command ran without its parent");
            }
            Cli cli = Given.parent(core.cli);
            List<String> facts = said(() -> cli.programs().verifyCore().verify());
            facts.forEach(cli.io().out()::println);
            return Exit.COMPLETE.code();
        }
    }

    @Command(
            name = "mock-model",
            description = "Play a script as a provider of models would, for tests.")
    static final class Mock extends SessionCommands.Child {
        @Option(
                names = "--script",
                required = true,
                paramLabel = "FILE",
                description = "The replies to play.")
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
