package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.v1.Shell;
import ai.hanzo.dev.host.op.v1.ShellRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hanzo dev shell ID}: a terminal in a session's cell. Filled by picocli. */
@Command(
        name = "shell",
        description = "Open a terminal in the sandbox of a session; Ctrl-] d leaves it running.",
        footer = "Exit code: that of the shell; 0 when it was left running.")
final class ShellCommand extends SessionCommands.OnSession {
    @Option(
            names = "--attach",
            paramLabel = "SHELL",
            description = "Go back to one that was left running: shl_…")
    @Nullable String attach;

    @Parameters(
            index = "1..*",
            paramLabel = "COMMAND",
            description = "What to run instead of a shell.")
    List<String> command = new ArrayList<>();

    @Override
    public Integer call() {
        Io io = cli().io();
        if (!io.terminal()) {
            throw CliException.usage(
                    "A shell needs a terminal; for one command: hanzo dev exec, or a tool of the"
                            + " agent.");
        }
        Client client = cli().client();
        RawTerminal.Size size = RawTerminal.size();
        String shell = Optional.ofNullable(attach).orElseGet(() -> open(client, size));
        return new Attachment(client, io, id(), shell).run(attach != null);
    }

    private String open(Client client, RawTerminal.Size size) {
        ShellRequest request =
                ShellRequest.newBuilder()
                        .addAllArgv(command)
                        .setColumns(size.columns())
                        .setRows(size.rows())
                        .build();
        try {
            return client.post(
                            "/v1/dev/" + Client.encode(id()) + "/shell",
                            request,
                            Shell.getDefaultInstance())
                    .getId();
        } catch (IOException e) {
            throw CliException.unreachable(client.endpoint().toString(), e);
        }
    }
}
