package ai.hanzo.dev.host.op;

import ai.hanzo.dev.host.op.v1.Shell;
import ai.hanzo.dev.host.op.v1.ShellAccepted;
import ai.hanzo.dev.host.op.v1.ShellInput;
import ai.hanzo.dev.host.op.v1.ShellRequest;
import ai.hanzo.dev.host.op.v1.ShellSize;

/**
 * Terminals in the cells of sessions, for the owner of the machine. Any thread; calls block. All
 * throw {@link OpException} for what the caller can understand: {@link OpCode#LOCAL_ONLY} for
 * anybody else, {@link OpCode#NOT_FOUND} for a session or shell that is not there.
 */
public interface ShellSource {
    /**
     * Starts a program on a terminal of its own; that it begins is in the journal before it does.
     */
    Shell open(Caller caller, String session, ShellRequest request);

    /**
     * Follows what a shell prints.
     *
     * @param after how many bytes of it the caller has; with more than there are it begins at the
     *     end
     */
    ShellFeed follow(Caller caller, ShellPath shell, long after);

    /** Types into it. Only while somebody follows it here: else {@link OpCode#CONFLICT}. */
    ShellAccepted input(Caller caller, ShellPath shell, ShellInput input);

    /** Tells it of another size. Only while somebody follows it here. */
    void resize(Caller caller, ShellPath shell, ShellSize size);

    /** Ends all that runs in it; of one that has ended nothing changes. */
    void end(Caller caller, ShellPath shell);

    /** A shell of a session, by the ids that callers have. */
    record ShellPath(String session, String shell) {}
}
