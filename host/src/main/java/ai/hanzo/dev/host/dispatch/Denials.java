package ai.hanzo.dev.host.dispatch;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.sandbox.ExecOutcome;
import ai.hanzo.dev.sandbox.ExecOutcome.DeniedCall;
import ai.hanzo.dev.sandbox.RefusalCode;
import ai.hanzo.dev.sandbox.Reply;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What the sandbox kept an action from, as far as it can see: paths that lead out or are protected,
 * and system calls that no tool needs. What Landlock refuses, only the program itself is told.
 * Threads: any.
 */
public final class Denials {
    /** SIGSYS on x86_64: the system call of another ABI. */
    private static final int SIGSYS = 31;

    private final Listener listener;
    private final Supplier<List<String>> network;

    /**
     * @param network gives the connections that were denied since it was asked last
     */
    public Denials(Listener listener, Supplier<List<String>> network) {
        this.listener = listener;
        this.network = network;
    }

    /** What was denied. The lower-case name stands in the topic of the note. */
    public enum Kind {
        /** A path out of the workspace, or one that the cell may not use. */
        PATH,
        /** Hooks or configuration of the repository. */
        PROTECTED,
        /** A system call. */
        SYSCALL,
        /** A connection out of the cell. */
        NETWORK
    }

    /** Takes them, before the outcome of the action is taken. */
    public interface Listener {
        /**
         * Something was denied.
         *
         * @param what it was, for people: a path, names of calls
         */
        void denied(ActionId action, Kind kind, String what);
    }

    /** What the cell did not do at all. */
    void refused(ActionId action, Reply.Refused<?> refused) {
        kind(refused.code()).ifPresent(kind -> listener.denied(action, kind, refused.message()));
    }

    /** What was denied, if the code is that of a denial. */
    static Optional<Kind> kind(RefusalCode code) {
        return switch (code) {
            case OUTSIDE, DENIED -> Optional.of(Kind.PATH);
            case PROTECTED -> Optional.of(Kind.PROTECTED);
            case MALFORMED,
                    UNKNOWN_OP,
                    TOO_LARGE,
                    BUSY,
                    DIGEST_MISMATCH,
                    ID_REUSE,
                    ID_SPENT,
                    RUNNING,
                    INVALID,
                    NOT_FOUND,
                    NOT_REGULAR,
                    NOT_DIRECTORY,
                    EXISTS,
                    NOT_EMPTY,
                    CONFLICT,
                    PAST_END,
                    NO_SPACE,
                    NOT_STAGED,
                    NOT_HELD,
                    NOT_EXECUTABLE,
                    RESOURCES,
                    IO,
                    VERSION,
                    NOT_RUNNING ->
                    Optional.empty();
        };
    }

    /** What a command was kept from. */
    void seen(ActionId action, ExecOutcome outcome) {
        if (!outcome.reverted().isEmpty()) {
            listener.denied(action, Kind.PROTECTED, String.join(", ", outcome.reverted()));
        }
        List<String> connections = network.get();
        if (!connections.isEmpty()) {
            listener.denied(action, Kind.NETWORK, String.join(", ", connections));
        }
        List<DeniedCall> calls = outcome.denied();
        if (!calls.isEmpty()) {
            listener.denied(
                    action,
                    Kind.SYSCALL,
                    calls.stream()
                            .map(call ->
                                    call.count() == 1
                                            ? call.name()
                                            : call.name() + " (" + call.count() + " times)")
                            .collect(Collectors.joining(", ")));
        } else if (outcome.signal() == SIGSYS) {
            listener.denied(action, Kind.SYSCALL, "a call of another ABI, which killed it");
        }
    }
}
