package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where the supervisor lives and how long its clients wait.
 *
 * @param directory absolute; holds the supervisor's socket, lock and log; made (0700) when missing;
 *     one directory is one supervisor
 * @param replyTimeout for an answer that needs no command to run
 * @param execGrace how long after a command's own deadline its outcome may come
 * @param loopThreads of the event loop; one serves hundreds of cells
 * @param warm cells that the supervisor keeps ready while this client is connected, 0 to {@value
 *     #MOST_WARM}; they shorten {@link Cells#lease} and take some 100 KiB each
 */
public record CellsConfig(
        Path directory, Duration replyTimeout, Duration execGrace, int loopThreads, int warm) {

    /** {@code wasm/dev.zap}, SupervisorHello. */
    static final int MOST_WARM = 8;

    private static final Duration DEFAULT_REPLY_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration DEFAULT_EXEC_GRACE = Duration.ofSeconds(10);

    public CellsConfig {
        requireNonNull(replyTimeout, "replyTimeout");
        requireNonNull(execGrace, "execGrace");
        if (!directory.isAbsolute()) {
            throw new IllegalArgumentException("directory is not absolute: " + directory);
        }
        if (loopThreads < 1) {
            throw new IllegalArgumentException("loopThreads is less than 1: " + loopThreads);
        }
        if (warm < 0 || warm > MOST_WARM) {
            throw new IllegalArgumentException("warm is not in 0..8: " + warm);
        }
    }

    public static CellsConfig in(Path directory) {
        return new CellsConfig(directory, DEFAULT_REPLY_TIMEOUT, DEFAULT_EXEC_GRACE, 1, 0);
    }

    public CellsConfig withWarm(int cells) {
        return new CellsConfig(directory, replyTimeout, execGrace, loopThreads, cells);
    }
}
