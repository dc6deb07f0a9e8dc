package ai.hanzo.dev.ledger;

import java.util.Set;

/**
 * The status of a run, which is one turn of a session. {@link #next} is the whole table of legal
 * moves; the database holds the same one in a trigger.
 */
public enum RunStatus {
    CREATED,
    QUEUED,
    PREPARING,
    RUNNING,
    WAITING_APPROVAL,
    WAITING_INPUT,
    TOOL_EXECUTING,
    VALIDATING,
    REVIEWING,
    COMPLETED,
    FAILED,
    CANCELLED,
    PAUSED;

    /** Where a run of this status may go; empty for an end. */
    public Set<RunStatus> next() {
        return switch (this) {
            case CREATED -> Set.of(QUEUED, PREPARING, RUNNING, PAUSED, FAILED, CANCELLED);
            case QUEUED -> Set.of(PREPARING, RUNNING, PAUSED, FAILED, CANCELLED);
            case PREPARING ->
                    Set.of(RUNNING, WAITING_APPROVAL, WAITING_INPUT, PAUSED, FAILED, CANCELLED);
            case RUNNING, TOOL_EXECUTING, VALIDATING, REVIEWING, WAITING_APPROVAL, WAITING_INPUT ->
                    active(this);
            case PAUSED ->
                    Set.of(
                            QUEUED,
                            PREPARING,
                            RUNNING,
                            WAITING_APPROVAL,
                            WAITING_INPUT,
                            TOOL_EXECUTING,
                            FAILED,
                            CANCELLED);
            case COMPLETED, FAILED, CANCELLED -> Set.of();
        };
    }

    private static Set<RunStatus> active(RunStatus from) {
        var all = java.util.EnumSet.range(RUNNING, PAUSED);
        all.remove(from);
        return Set.copyOf(all);
    }

    /** Whether a run may go from this status to {@code to}; never to the same one. */
    public boolean mayBecome(RunStatus to) {
        return next().contains(to);
    }

    /** Whether there is no way on. */
    public boolean isFinal() {
        return next().isEmpty();
    }
}
