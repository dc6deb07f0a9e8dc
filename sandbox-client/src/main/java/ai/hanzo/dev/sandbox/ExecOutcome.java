package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

/**
 * How a command ended.
 *
 * @param end how it ended
 * @param exit the exit status 0..255; 128 + signal when a signal killed it
 * @param signal the signal that killed it, or 0
 * @param stdout what it printed there
 * @param stderr what it printed there
 * @param leftRunning processes of its tree that were still alive when it ended
 * @param elapsedMillis wall clock from start to end
 */
public record ExecOutcome(
        End end,
        int exit,
        int signal,
        CapturedOutput stdout,
        CapturedOutput stderr,
        int leftRunning,
        long elapsedMillis)
        implements CellOutcome {

    /** Why the command ended. */
    public enum End {
        /** By itself: see exit and signal. */
        EXITED,
        /** The deadline passed and the whole tree was killed. */
        TIMED_OUT,
        /** {@link Cell#cancel} killed the whole tree. */
        CANCELLED,
        /** It never started: no such program, not executable. Exit is 127 or 126. */
        NOT_STARTED
    }

    public ExecOutcome {
        requireNonNull(end, "end");
        requireNonNull(stdout, "stdout");
        requireNonNull(stderr, "stderr");
    }

    public boolean succeeded() {
        return end == End.EXITED && exit == 0;
    }
}
