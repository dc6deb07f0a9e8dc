package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.ActionId;
import java.time.Duration;
import java.util.Optional;

/**
 * A program in a cell that somebody talks to: made by {@link Cell#spawn}, or found again by {@link
 * Cell#attach}. It does not depend on this object: letting go of it, or the death of the host,
 * leaves it running.
 *
 * <p>What it prints comes in order and without repeats, each piece with its offset. A program that
 * prints faster than {@link #next} is called waits, as it would at a terminal; while nobody follows
 * it, it goes on, and only the last 24 KiB beyond the first 64 MiB can be had afterwards: then an
 * offset leaps.
 *
 * <p>Threads: any; one at a time calls {@link #next}. Failures: as those of {@link Cell}; {@code
 * CLOSED} when somebody else has attached to it since.
 */
public interface LiveProgram extends AutoCloseable {

    /** What comes from a program. */
    sealed interface Heard {
        /**
         * It printed.
         *
         * @param offset in its stream, of the first byte
         */
        record Printed(OutputStreamName stream, long offset, Bytes bytes) implements Heard {
            public Printed {
                requireNonNull(stream, "stream");
                requireNonNull(bytes, "bytes");
            }
        }

        /** It is over, and all it printed was told; or it was never started. */
        record Ended(Reply<ExecOutcome> reply) implements Heard {
            public Ended {
                requireNonNull(reply, "reply");
            }
        }
    }

    /** The action under which it was started. */
    ActionId id();

    /**
     * What comes next. Once it is over, that is said again each time.
     *
     * @return empty when nothing came within {@code atMost}
     */
    Optional<Heard> next(Duration atMost);

    /**
     * Gives it bytes to read. Sent again they are taken once, by their offset.
     *
     * @param offset of the first byte in all that was ever sent to it; a gap is refused
     * @param bytes at most {@link Limits#chunkBytes()}
     * @return how much was accepted of all input so far; the rest is to be sent again when the
     *     program has read
     */
    Reply<Long> input(long offset, Bytes bytes);

    /** Ends its input behind {@code offset} bytes; at a terminal, Ctrl-D. */
    Reply<Long> endInput(long offset);

    /** Tells a terminal's program of another size. Zero is refused. */
    Reply<Boolean> resize(int columns, int rows);

    /**
     * Sends a signal to its process group. To end all of it, double forks included, {@link
     * Cell#cancel} its action.
     *
     * @param signal 1 to 64
     */
    Reply<Boolean> signal(int signal);

    /** Stops following; the program goes on. */
    @Override
    void close();
}
