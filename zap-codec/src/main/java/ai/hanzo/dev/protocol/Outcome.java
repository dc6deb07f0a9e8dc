package ai.hanzo.dev.protocol;

import java.util.List;
import java.util.Optional;

/**
 * What came of an effect. Immutable.
 *
 * @param exit of a command that ended by itself
 * @param stdout also the bytes of a read and the lines of a list or a search
 * @param stdoutBytes how many there were before anything was cut
 * @param truncated whether {@code stdout} or {@code stderr} lacks something
 * @param artifacts the whole of what was cut
 * @param message for the model: what happened, when the status is not {@link Status#OK}
 */
public record Outcome(
        Status status,
        Optional<Integer> exit,
        Bytes stdout,
        Bytes stderr,
        long stdoutBytes,
        long stderrBytes,
        boolean truncated,
        List<Blob> artifacts,
        String message) {

    public Outcome {
        artifacts = List.copyOf(artifacts);
    }

    /** How an effect ended. */
    public enum Status {
        OK,
        FAILED,
        DENIED,
        IN_DOUBT,
        CANCELLED
    }

    /** Success with this much to show. */
    public static Outcome ok(Bytes stdout) {
        return plain(Status.OK, stdout, "");
    }

    /** Nothing to show but a sentence. */
    public static Outcome of(Status status, String message) {
        return plain(status, Bytes.empty(), message);
    }

    private static Outcome plain(Status status, Bytes stdout, String message) {
        return new Outcome(
                status,
                Optional.empty(),
                stdout,
                Bytes.empty(),
                stdout.length(),
                0,
                false,
                List.of(),
                message);
    }
}
