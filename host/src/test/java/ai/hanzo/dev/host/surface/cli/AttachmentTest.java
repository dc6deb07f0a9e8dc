package ai.hanzo.dev.host.surface.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.local.Endpoint;
import ai.hanzo.dev.host.op.FakeShells;
import ai.hanzo.dev.host.op.Ops;
import ai.hanzo.dev.host.surface.rest.Served;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is typed at a shell, and how it is left; with a real terminal in ShellIT. */
@Timeout(30)
final class AttachmentTest {
    private final Served served = new Served();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @AfterEach
    void close() {
        served.close();
    }

    private Attachment.End typed(String keys) throws IOException {
        var endpoint = new Endpoint(served.uri(""), Served.TOKEN, true);
        var io =
                new Io(
                        // A keyboard has no end.
                        new SequenceInputStream(
                                new ByteArrayInputStream(keys.getBytes(UTF_8)),
                                new PipedInputStream(new PipedOutputStream())),
                        new PrintStream(printed, true, UTF_8),
                        new PrintStream(new ByteArrayOutputStream(), true, UTF_8),
                        Map.of(),
                        Path.of("/"),
                        true);
        var client = new Client(() -> endpoint, Ops.load());
        return new Attachment(client, io, "ses_1", FakeShells.ID).attach(false);
    }

    @Test
    void theEndOfTheShellIsToldWithWhatItPrinted() throws Exception {
        assertThat(typed("echo x")).isInstanceOf(Attachment.End.Exited.class);
        assertThat(printed.toString(UTF_8)).isEqualTo("echo x");
    }

    /** The stream gives no sign of life, so that nobody can wait for one. */
    @Test
    void whoLeavesAQuietShellWaitsForNothing() throws Exception {
        served.shells.silent = true;

        assertThat(typed("\035d")).isInstanceOf(Attachment.End.Left.class);
    }
}
