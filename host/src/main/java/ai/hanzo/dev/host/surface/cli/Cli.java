package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.local.Endpoint;
import ai.hanzo.dev.host.local.Home;
import ai.hanzo.dev.host.local.LocalException;
import ai.hanzo.dev.host.local.LocalHosts;
import ai.hanzo.dev.host.op.Ops;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * {@code hanzo dev …}: parses, runs and gives the exit code. The first word that equals a command
 * is a command, any other is a prompt. One thread.
 */
@Command(
        name = "hanzo dev",
        description = "Runs a coding agent in a sandbox, every step recorded.",
        customSynopsis = {
            "hanzo dev [OPTIONS] PROMPT          one turn in the current directory",
            "       hanzo dev [OPTIONS]                 a conversation",
            "       hanzo dev COMMAND …"
        },
        footer = {
            "",
            "hanzo dev -- PROMPT or -p PROMPT sends a prompt whatever it is; - reads it from"
                    + " standard input.",
            "",
            "Exit code: 0 complete, 1 failed, 2 usage, 3 needs approval or denied, 130 cancelled."
        },
        subcommands = {
            PromptCommands.Run.class,
            PromptCommands.Exec.class,
            SessionCommands.Ls.class,
            SessionCommands.Show.class,
            SessionCommands.Attach.class,
            SessionCommands.Log.class,
            SessionCommands.Cancel.class,
            SessionCommands.Rm.class,
            SessionCommands.Suspend.class,
            SessionCommands.Resume.class,
            WorkspaceCommands.Fork.class,
            ApprovalCommands.Approvals.class,
            ApprovalCommands.Approve.class,
            ApprovalCommands.Deny.class,
            ApprovalCommands.AnswerQuestion.class,
            ShellCommand.class,
            WorkspaceCommands.Diff.class,
            WorkspaceCommands.Undo.class,
            WorkspaceCommands.Verify.class,
            SessionFileCommands.Export.class,
            SessionFileCommands.Import.class,
            BackupCommands.Backup.class,
            PurgeCommand.class,
            HostCommands.ServeHere.class,
            HostCommands.Host.class,
            MachineCommands.Doctor.class,
            MachineCommands.Core.class,
            MachineCommands.Mock.class,
            DemoCommand.class,
            WarmUpCommand.class,
        })
public final class Cli {
    @Mixin private final Options options = new Options();

    private final Io io;
    private final Programs programs;
    private Optional<Interrupts> interrupts = Optional.empty();

    public Cli(Io io, Programs programs) {
        this.io = io;
        this.programs = programs;
    }

    /** Runs a command line, without the word {@code dev}, and gives its exit code. */
    public int run(String... arguments) {
        CommandLine commands = new CommandLine(this);
        commands.setOut(
                new java.io.PrintWriter(io.out(), true, java.nio.charset.StandardCharsets.UTF_8));
        commands.setErr(
                new java.io.PrintWriter(io.err(), true, java.nio.charset.StandardCharsets.UTF_8));
        commands.setUsageHelpWidth(100);
        commands.setParameterExceptionHandler(this::misread);
        commands.setExecutionExceptionHandler((failure, _, _) -> failed(failure));
        return commands.execute(withRun(commands, List.of(arguments)).toArray(String[]::new));
    }

    /** Puts the hidden command {@code run} before a first word that is no command. */
    private static List<String> withRun(CommandLine commands, List<String> arguments) {
        var full = new ArrayList<String>(arguments);
        int at = 0;
        while (at < arguments.size()) {
            String word = arguments.get(at);
            if (word.equals("--") || word.equals("-") || !word.startsWith("-")) {
                if (!commands.getSubcommands().containsKey(word)) {
                    full.add(at, "run");
                }
                return full;
            }
            if (word.equals("-h") || word.equals("--help")) {
                return full;
            }
            OptionSpec option = commands.getCommandSpec().findOption(word);
            boolean takesNext = option != null && option.arity().max() > 0;
            if (option == null) {
                break;
            }
            at += takesNext ? 2 : 1;
        }
        full.add(Math.min(at, full.size()), "run");
        return full;
    }

    private int misread(ParameterException failure, String[] arguments) {
        io.err().println("hanzo: " + Style.safe(String.valueOf(failure.getMessage())));
        String name = failure.getCommandLine().getCommandName();
        if (!name.equals("run") && !name.equals("exec") && !name.equals("hanzo dev")) {
            List<String> words = List.of(arguments);
            int from = Math.max(0, words.indexOf(name));
            io.err()
                    .println(
                            "hanzo: "
                                    + name
                                    + " is a command here; to send it as a prompt: hanzo dev -- "
                                    + Style.line(
                                            String.join(" ", words.subList(from, words.size())),
                                            60));
        }
        io.err().println("hanzo: see hanzo dev --help");
        return Exit.USAGE.code();
    }

    private int failed(Exception failure) {
        return switch (failure) {
            case CliException known -> {
                io.err().println("hanzo: " + Style.safe(String.valueOf(known.getMessage())));
                yield known.exit().code();
            }
            case LocalException known -> {
                io.err().println("hanzo: " + Style.safe(String.valueOf(known.getMessage())));
                yield Exit.FAILED.code();
            }
            case UncheckedIOException known -> {
                io.err().println("hanzo: " + Style.safe(String.valueOf(known.getMessage())));
                yield Exit.FAILED.code();
            }
            default -> {
                io.err().println("hanzo: failed in a way that should not be; please report this:");
                failure.printStackTrace(io.err());
                yield Exit.FAILED.code();
            }
        };
    }

    Io io() {
        return io;
    }

    Options options() {
        return options;
    }

    Programs programs() {
        return programs;
    }

    Requests requests() {
        return new Requests(io, options);
    }

    Style style() {
        return new Style(io.colours());
    }

    /** Ctrl-C, from the first use on. */
    Interrupts interrupts() {
        if (interrupts.isEmpty()) {
            interrupts = Optional.of(Interrupts.install());
        }
        return interrupts.get();
    }

    /** For tests: Ctrl-C that is not of the process. */
    Cli withInterrupts(Interrupts own) {
        interrupts = Optional.of(own);
        return this;
    }

    Home home() {
        return Home.of(io.environment());
    }

    LocalHosts localHosts() {
        return new LocalHosts(
                home(),
                programs.build(),
                programs.launch(),
                line -> io.err().println("hanzo: " + line));
    }

    /** The host that the options name, or the local one, started when there is none. */
    Client client() {
        return new Client(hosts(), Ops.load());
    }

    private Hosts hosts() {
        Optional<String> url = options.host();
        if (url.isEmpty()) {
            LocalHosts local = localHosts();
            return local::ensure;
        }
        String token = io.environment().getOrDefault("HANZO_TOKEN", "").strip();
        if (token.isEmpty()) {
            throw CliException.usage(
                    "A host named with --host needs its token: set HANZO_TOKEN to it.");
        }
        Endpoint endpoint = new Endpoint(address(url.get()), token, false);
        return () -> endpoint;
    }

    private static URI address(String url) {
        try {
            URI address = URI.create(url.contains("://") ? url : "http://" + url);
            if (address.getHost() != null && address.getScheme().matches("https?")) {
                return address.resolve("/");
            }
        } catch (IllegalArgumentException e) {
            // Told below.
        }
        throw CliException.usage(
                url + " is not the address of a host, like http://127.0.0.1:8080.");
    }
}
