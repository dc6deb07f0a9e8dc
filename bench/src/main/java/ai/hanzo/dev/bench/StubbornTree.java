package ai.hanzo.dev.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Many processes that are deaf to signals, each in a session of its own: what a kill has to end.
 * The same tree in a bare pid namespace shows what the kernel takes for it. Used by one thread.
 */
final class StubbornTree {
    /** Seconds, of no other process here: what is left is known by it. */
    private static final int SLEEP = 86_437;

    private final int processes;

    StubbornTree(int processes) {
        this.processes = processes;
    }

    /** A shell line that starts them and ends when all are there. */
    String line() {
        return """
        i=0
        while [ $i -lt %d ]; do
          (setsid sh -c 'trap "" TERM HUP INT; exec sleep %d' </dev/null >/dev/null 2>&1 &)
          i=$((i+1))
        done
        sleep 1
        """
                .formatted(processes, SLEEP);
    }

    /** How many of them there are on this machine. */
    static long left() {
        return ProcessHandle.allProcesses()
                .filter(process ->
                        process.info().commandLine().orElse("").endsWith("sleep " + SLEEP))
                .count();
    }

    /**
     * Nanoseconds from SIGKILL of the first process of a pid namespace with nothing else to it
     * until all are gone; empty where unshare may not make one.
     */
    Optional<Long> bareKill() throws IOException {
        Process process =
                new ProcessBuilder(
                                List.of(
                                        "unshare",
                                        "--user",
                                        "--map-root-user",
                                        "--pid",
                                        "--fork",
                                        "--kill-child",
                                        "sh",
                                        "-c",
                                        line() + "\necho ready; exec sleep " + SLEEP))
                        .start();
        try (BufferedReader said = process.inputReader()) {
            if (said.readLine() == null) {
                return Optional.empty();
            }
            ProcessHandle first = process.children().findFirst().orElseThrow();
            long before = System.nanoTime();
            first.destroyForcibly();
            process.waitFor();
            return Optional.of(System.nanoTime() - before);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
