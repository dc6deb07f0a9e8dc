package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * How a command ended.
 *
 * @param end why it ended
 * @param exit 0 to 255; 128 + signal when a signal ended it, as shells say
 * @param signal the signal that ended it, or 0
 * @param stdout what it printed there
 * @param stderr what it printed there
 * @param leftRunning processes of its tree that were alive when it had ended
 * @param leftovers what became of those
 * @param elapsedMillis wall clock from start to end
 * @param cpuMillis user and system time, its own and of children that it waited for
 * @param reverted protected paths that it had changed and that were put back
 * @param denied system calls that the cell refused to it
 */
public record ExecOutcome(
        End end,
        int exit,
        int signal,
        CapturedOutput stdout,
        CapturedOutput stderr,
        int leftRunning,
        ExecRequest.Leftovers leftovers,
        long elapsedMillis,
        long cpuMillis,
        List<String> reverted,
        List<DeniedCall> denied)
        implements CellOutcome {

    /**
     * A system call that was refused, by its name, and how often.
     *
     * @param count at least 1
     */
    public record DeniedCall(String name, long count) {
        public DeniedCall {
            requireNonNull(name, "name");
            if (count < 1) {
                throw new IllegalArgumentException("a refusal that happened " + count + " times");
            }
        }
    }

    /** Why a command ended. */
    public enum End {
        /** By itself: see exit and signal. */
        ENDED,
        /** The deadline passed: its whole tree is dead. */
        TIMED_OUT,
        /** {@link Cell#cancel}: its whole tree is dead. */
        CANCELLED
    }

    public ExecOutcome {
        requireNonNull(end, "end");
        requireNonNull(stdout, "stdout");
        requireNonNull(stderr, "stderr");
        requireNonNull(leftovers, "leftovers");
        reverted = List.copyOf(reverted);
        denied = List.copyOf(denied);
    }

    public boolean succeeded() {
        return end == End.ENDED && exit == 0;
    }
}
