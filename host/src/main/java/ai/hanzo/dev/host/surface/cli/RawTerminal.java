package ai.hanzo.dev.host.surface.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;

/**
 * The terminal of this process, given to a program elsewhere: every key goes there, none has a
 * meaning here. One thread.
 *
 * <p>A process of its own puts the terminal back when this one closes it, or ends in whatever way:
 * it waits for the end of a pipe that only this process holds.
 */
final class RawTerminal implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 5;

    /** Deaf to the keyboard, and to being in the background of what comes after us. */
    private static final String GUARD =
            "trap '' INT QUIT TERM HUP TTOU TSTP; read -r x; exec stty \"$1\" </dev/tty";

    private final Process guard;

    private RawTerminal(Process guard) {
        this.guard = guard;
    }

    /** A terminal's size in characters. */
    record Size(int columns, int rows) {}

    /**
     * Takes the terminal.
     *
     * @throws CliException when this process has none
     */
    static RawTerminal take() {
        String before = stty("-g");
        try {
            Process guard =
                    new ProcessBuilder("/bin/sh", "-c", GUARD, "guard", before)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            RawTerminal taken = new RawTerminal(guard);
            try {
                stty("raw", "-echo");
                return taken;
            } catch (RuntimeException e) {
                taken.close();
                throw e;
            }
        } catch (IOException e) {
            throw CliException.failed("No process can be started: " + e.getMessage() + ".");
        }
    }

    /** How large it is now. */
    static Size size() {
        String[] words = stty("size").split(" ", -1);
        try {
            int rows = Integer.parseInt(words[0]);
            int columns = Integer.parseInt(words[words.length - 1]);
            // A terminal that was never told its size has none.
            return rows > 0 && columns > 0 ? new Size(columns, rows) : new Size(80, 24);
        } catch (NumberFormatException e) {
            return new Size(80, 24);
        }
    }

    private static String stty(String... arguments) {
        String[] command = new String[arguments.length + 1];
        command[0] = "stty";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectInput(new java.io.File("/dev/tty"))
                            .redirectErrorStream(true)
                            .start();
            String printed = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
            if (process.waitFor() != 0) {
                throw CliException.failed("stty cannot set this terminal: " + printed);
            }
            return printed;
        } catch (IOException e) {
            throw CliException.usage(
                    "A shell needs a terminal, and stty to set it: " + e.getMessage() + ".");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CliException.failed("Interrupted.");
        }
    }

    /** Puts the terminal back to what it was. */
    @Override
    public void close() {
        try (OutputStream pipe = guard.getOutputStream()) {
            pipe.flush();
        } catch (IOException e) {
            // It has ended, and with that put the terminal back.
        }
        try {
            guard.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
