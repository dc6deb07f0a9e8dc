package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A command to run.
 *
 * @param argv the program (found on the cell's PATH) and its arguments; not empty
 * @param directory where, relative to the workspace; empty for the workspace itself
 * @param stdin what it reads
 * @param env added to the cell's own environment, or put over it
 * @param timeout when the whole tree is killed; zero means 120 s, at most 3,600 s
 * @param leftovers what becomes of processes that it leaves running
 */
public record ExecRequest(
        List<String> argv,
        String directory,
        Stdin stdin,
        Map<String, String> env,
        Duration timeout,
        Leftovers leftovers) {

    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(2);
    public static final Duration MAX_TIMEOUT = Duration.ofHours(1);

    /** What a command reads from its standard input. */
    public sealed interface Stdin {
        /** The null device: end of file at once. */
        record None() implements Stdin {}

        /** These bytes, then end of file. Longer ones are staged by the client. */
        record Content(Bytes bytes) implements Stdin {}
    }

    /** What becomes of processes that a finished command left running. */
    public enum Leftovers {
        KILL,
        KEEP
    }

    public ExecRequest {
        argv = List.copyOf(argv);
        env = Map.copyOf(env);
        requireNonNull(directory, "directory");
        requireNonNull(stdin, "stdin");
        requireNonNull(leftovers, "leftovers");
        if (argv.isEmpty()) {
            throw new IllegalArgumentException("argv is empty");
        }
        if (timeout.isNegative() || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException("timeout is not within 0 s and 3600 s: " + timeout);
        }
    }

    /** The plain case: in the workspace, nothing on stdin, default timeout, leftovers killed. */
    public static ExecRequest of(String... argv) {
        return new ExecRequest(
                List.of(argv), "", new Stdin.None(), Map.of(), Duration.ZERO, Leftovers.KILL);
    }

    /** A line for {@code /bin/sh -c}. */
    public static ExecRequest shell(String line) {
        return of("/bin/sh", "-c", line);
    }

    public ExecRequest in(String newDirectory) {
        return new ExecRequest(argv, newDirectory, stdin, env, timeout, leftovers);
    }

    public ExecRequest withStdin(Bytes bytes) {
        return new ExecRequest(argv, directory, new Stdin.Content(bytes), env, timeout, leftovers);
    }

    public ExecRequest withEnv(Map<String, String> newEnv) {
        return new ExecRequest(argv, directory, stdin, newEnv, timeout, leftovers);
    }

    public ExecRequest withTimeout(Duration newTimeout) {
        return new ExecRequest(argv, directory, stdin, env, newTimeout, leftovers);
    }

    public ExecRequest keepingLeftovers() {
        return new ExecRequest(argv, directory, stdin, env, timeout, Leftovers.KEEP);
    }

    /** The timeout that will hold: the default one when none was asked. */
    public Duration effectiveTimeout() {
        return timeout.isZero() ? DEFAULT_TIMEOUT : timeout;
    }
}
