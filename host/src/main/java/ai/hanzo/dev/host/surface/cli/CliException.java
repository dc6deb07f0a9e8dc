package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.v1.Problem;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The command cannot be done. The message is for a person and names the next step. */
final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Exit exit;
    private final transient Optional<Problem> problem;

    private CliException(
            Exit exit, String message, Optional<Problem> problem, @Nullable Throwable cause) {
        super(message, cause);
        this.exit = exit;
        this.problem = problem;
    }

    static CliException usage(String message) {
        return new CliException(Exit.USAGE, message, Optional.empty(), null);
    }

    static CliException failed(String message) {
        return new CliException(Exit.FAILED, message, Optional.empty(), null);
    }

    static CliException unreachable(String where, Throwable cause) {
        return new CliException(
                Exit.FAILED,
                "The host at " + where + " does not answer (" + cause.getMessage() + ").",
                Optional.empty(),
                cause);
    }

    /** What the host refused, in its own words. */
    static CliException refused(Problem problem) {
        String next = problem.hasNext() ? " " + problem.getNext() : "";
        return new CliException(
                Exit.FAILED,
                problem.getDetail() + next + " [" + problem.getCode() + "]",
                Optional.of(problem),
                null);
    }

    Exit exit() {
        return exit;
    }

    /** The code of what the host refused; empty when it was not the host. */
    String code() {
        return problem.map(Problem::getCode).orElse("");
    }
}
