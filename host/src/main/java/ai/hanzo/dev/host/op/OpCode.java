package ai.hanzo.dev.host.op;

import java.util.Locale;

/**
 * Why an op was refused. The lower-case name is the stable {@code code} of the problem document
 * (RFC 9457), which programs compare; the HTTP status goes with it.
 */
public enum OpCode {
    MALFORMED_JSON(400, "The body is not JSON"),
    UNKNOWN_FIELD(400, "A field is not known"),
    INVALID_ARGUMENT(400, "An argument has a value that cannot be"),
    INVALID_CURSOR(400, "The cursor is not one that was given out"),
    UNAUTHORIZED(401, "No valid bearer token"),
    FORBIDDEN(403, "This is not yours to do"),
    FORBIDDEN_ORIGIN(403, "A web page of another origin asked"),
    LOCAL_ONLY(403, "Only the owner of this machine's host may ask for that"),
    NOT_FOUND(404, "There is no such thing"),
    ROUTE_NOT_FOUND(404, "There is no such route"),
    METHOD_NOT_ALLOWED(405, "The route does not take this method"),
    WORKSPACE_BUSY(409, "Another session writes in this workspace"),
    ALREADY_RESOLVED(409, "The approval is resolved already"),
    NOT_WAITING(409, "Nothing waits for that"),
    TURN_QUEUE_FULL(409, "Too many turns wait in this session"),
    SESSION_STOPPED(409, "The session is stopped"),
    CONFLICT(409, "The state of the session forbids it"),
    PAYLOAD_TOO_LARGE(413, "The body is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "The body must be application/json"),
    FORBIDDEN_HOST(421, "The Host header names another server"),
    IDEMPOTENCY_KEY_REUSED(422, "The idempotency key was used with another request"),
    WORKSPACE_REFUSED(422, "A session cannot work in this folder"),
    MODEL_UNKNOWN(422, "There is no such model"),
    KEY_MISSING(422, "The model's provider needs a key"),
    SCRIPT_INVALID(422, "The script of the model cannot be read"),
    POLICY_INVALID(422, "The policy cannot be read"),
    IMPORT_REFUSED(422, "The file cannot be taken in"),
    HEADERS_TOO_LARGE(431, "The headers are too large"),
    INTERNAL(500, "The host failed"),
    SANDBOX_UNAVAILABLE(503, "Commands cannot be confined on this machine"),
    DATABASE_UNAVAILABLE(503, "The database does not answer"),
    NOT_READY(503, "The host is not ready yet"),
    DRAINING(503, "The host is going down"),
    STORAGE_FULL(507, "The disk is full");

    private final int status;
    private final String title;

    OpCode(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /** The HTTP status, 400 to 599. */
    public int status() {
        return status;
    }

    /** A short sentence that is the same for each occurrence. */
    public String title() {
        return title;
    }

    /** As it stands in problem documents: {@code workspace_busy}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
