package ai.hanzo.dev.ledger.pg;

import ai.hanzo.dev.ledger.LedgerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs PostgreSQL's own commands: with an environment of three variables, its output to a file (a
 * pipe would stay open in the server that pg_ctl leaves behind), and with a deadline.
 *
 * <p>PostgreSQL refuses to be root. For root the command runs in a user namespace of its own
 * without a mapping, where it is nobody and yet keeps root's ownership of the files.
 */
final class PgCommand {
    private final Path binaries;
    private final Path log;
    private final boolean isRoot;

    PgCommand(Path binaries, Path log, boolean isRoot) {
        this.binaries = binaries;
        this.log = log;
        this.isRoot = isRoot;
    }

    /**
     * A backend frees what a statement took when it ends. glibc would give the top of the heap back
     * to the kernel each time and ask for it again with the next statement, page fault by page
     * fault: a seventh of the time of a short transaction. See mallopt(3).
     */
    private static final Map<String, String> KEEPS_ITS_MEMORY =
            Map.of("MALLOC_TOP_PAD_", "1048576", "MALLOC_TRIM_THRESHOLD_", "8388608");

    /** How a command ended and what it said. */
    record Ended(int exit, String output) {}

    /** Runs {@code bin/NAME ARGUMENTS…} to its end. */
    Ended run(Duration deadline, String name, String... arguments) {
        List<String> line = line(name, arguments);
        try {
            return run(deadline, line);
        } catch (IOException e) {
            throw cannotRun(line, e);
        }
    }

    /**
     * Starts {@code bin/NAME ARGUMENTS…} in a session of its own, so that neither the end of this
     * process nor its terminal's Ctrl-C reaches it.
     */
    Process launch(String name, String... arguments) {
        List<String> line = line(name, arguments);
        line.addFirst("setsid");
        try {
            return begin(line);
        } catch (IOException e) {
            throw cannotRun(line, e);
        }
    }

    private List<String> line(String name, String... arguments) {
        List<String> line = new ArrayList<>();
        if (isRoot) {
            line.addAll(List.of("unshare", "--user", "--"));
        }
        line.add(binaries.resolve("bin").resolve(name).toString());
        line.addAll(List.of(arguments));
        return line;
    }

    private static LedgerException cannotRun(List<String> line, IOException e) {
        return LedgerException.cannotStart(
                "The command " + line.getFirst() + " cannot be run: " + e.getMessage() + ".", e);
    }

    /** Whether this machine lets us do what root must do to start a server. */
    static boolean makesUserNamespaces() {
        try {
            Process process = new ProcessBuilder("unshare", "--user", "--", "true").start();
            return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What the last command said. */
    String output() throws IOException {
        return Files.readString(log);
    }

    private Process begin(List<String> line) throws IOException {
        Files.deleteIfExists(log);
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().clear();
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("TZ", "UTC");
        builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
        builder.environment().putAll(KEEPS_ITS_MEMORY);
        builder.directory(binaries.toFile());
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.redirectErrorStream(true);
        builder.redirectOutput(log.toFile());
        return builder.start();
    }

    private Ended run(Duration deadline, List<String> line) throws IOException {
        Process process = begin(line);
        try {
            if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw LedgerException.cannotStart(
                        "PostgreSQL did not answer within "
                                + deadline.toSeconds()
                                + " s; look into "
                                + log
                                + ".",
                        null);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw LedgerException.cannotStart("The start was interrupted.", e);
        }
        return new Ended(process.exitValue(), output());
    }
}
