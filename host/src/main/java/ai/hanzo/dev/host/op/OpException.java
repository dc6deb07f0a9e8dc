package ai.hanzo.dev.host.op;

import java.util.Optional;

/**
 * An op was refused or failed: what a surface tells its caller, as a problem document (RFC 9457) or
 * as a sentence. Detail and next step are for people and name the value in question; never a
 * secret.
 */
public final class OpException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Where a malformed body went wrong; both count from 1. */
    public record Position(int line, int column) {}

    private final OpCode code;
    private final transient Optional<String> next;
    private final transient Optional<String> related;
    private final transient Optional<Position> position;

    private OpException(
            OpCode code,
            String detail,
            Optional<String> next,
            Optional<String> related,
            Optional<Position> position,
            Optional<Throwable> cause) {
        super(detail, cause.orElse(null));
        this.code = code;
        this.next = next;
        this.related = related;
        this.position = position;
    }

    /** A refusal for which nothing better can be advised than to read the detail. */
    public static OpException of(OpCode code, String detail) {
        return new OpException(
                code,
                detail,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** A refusal with what to do now, in one sentence. */
    public static OpException of(OpCode code, String detail, String next) {
        return new OpException(
                code,
                detail,
                Optional.of(next),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** No session, approval or other thing of this id, or it is another org's. */
    public static OpException notFound(String what, String id) {
        return of(OpCode.NOT_FOUND, "There is no " + what + " " + id + ".", whereToLook(what));
    }

    private static String whereToLook(String what) {
        return switch (what) {
            case "session" -> "See which there are: hanzo dev ls.";
            case "approval" -> "See which there are: hanzo dev approvals.";
            case "shell" -> "The session's journal names those that were opened: hanzo dev log ID.";
            default -> "List them first.";
        };
    }

    /** A field has a value that cannot be. */
    public static OpException invalid(String field, String why) {
        return of(OpCode.INVALID_ARGUMENT, field + ": " + why);
    }

    /** Another session writes in the same folder. */
    public static OpException workspaceBusy(String path, String session) {
        return of(
                        OpCode.WORKSPACE_BUSY,
                        "Session " + session + " already works in " + path + ".",
                        "Go on in it (hanzo dev --continue), end it (hanzo dev rm "
                                + session
                                + "), or start one that only reads (--policy read-only).")
                .relatedTo(session);
    }

    /** The same idempotency key came with another request. */
    public static OpException keyReused(String key) {
        return of(
                OpCode.IDEMPOTENCY_KEY_REUSED,
                "The idempotency key " + key + " was used before with another request.",
                "Use a new key for a new request.");
    }

    /** Broken by the host itself; the cause goes to its log. */
    public static OpException internal(String detail, Throwable cause) {
        return new OpException(
                OpCode.INTERNAL,
                detail,
                Optional.of("Look at the host's log; it names the cause."),
                Optional.empty(),
                Optional.empty(),
                Optional.of(cause));
    }

    /** The same refusal, naming the thing that stands in the way. */
    public OpException relatedTo(String id) {
        return new OpException(
                code, detail(), next, Optional.of(id), position, Optional.ofNullable(getCause()));
    }

    /** The same refusal, naming where in the body. */
    public OpException at(int line, int column) {
        return new OpException(
                code,
                detail(),
                next,
                related,
                Optional.of(new Position(line, column)),
                Optional.ofNullable(getCause()));
    }

    public OpCode code() {
        return code;
    }

    /** What went wrong this time, in a sentence. */
    public String detail() {
        String message = getMessage();
        return message == null ? code.title() : message;
    }

    /** What to do now. */
    public Optional<String> next() {
        return next;
    }

    /** The id of what stands in the way. */
    public Optional<String> related() {
        return related;
    }

    public Optional<Position> position() {
        return position;
    }
}
