package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

/**
 * A program that is talked to while it runs.
 *
 * @param command what to run; its timeout zero means no deadline, and what it reads first must fit
 *     into one request ({@link Limits#chunkBytes()})
 * @param streams what it reads from and prints to
 */
public record SpawnRequest(ExecRequest command, Streams streams) {

    /** What a spawned program has for its standard streams. */
    public sealed interface Streams {
        /** Three pipes: output and errors come apart, and input can be closed. */
        record Pipes() implements Streams {}

        /**
         * A terminal of its own: all it prints is {@link OutputStreamName#STDOUT}.
         *
         * @param columns 1 to 65,535
         * @param rows 1 to 65,535
         */
        record Terminal(int columns, int rows) implements Streams {
            private static final int MAX = 65_535;

            public Terminal {
                if (columns < 1 || columns > MAX || rows < 1 || rows > MAX) {
                    throw new IllegalArgumentException(
                            "a terminal of %d columns and %d rows".formatted(columns, rows));
                }
            }
        }
    }

    public SpawnRequest {
        requireNonNull(command, "command");
        requireNonNull(streams, "streams");
    }

    public static SpawnRequest onPipes(ExecRequest command) {
        return new SpawnRequest(command, new Streams.Pipes());
    }

    public static SpawnRequest onTerminal(ExecRequest command, int columns, int rows) {
        return new SpawnRequest(command, new Streams.Terminal(columns, rows));
    }
}
