package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tells of changes of a directory's entries, or of the one name that a file has; what lies deeper
 * is not told of. What happens between two calls of {@link #next} is put together, one entry for
 * each name, so a slow reader costs nothing: beyond 256 names it is told to look again.
 *
 * <p>It ends with its lease, and holds up nothing in the cell. Threads: any; one at a time calls
 * {@link #next}. Failures: as those of {@link Cell}.
 */
public interface Watch extends AutoCloseable {

    /**
     * What happened since the last one.
     *
     * @param sequence of this watch: 1, 2, …
     * @param entries at most 256, in no order
     * @param mustRescan there was more than can be told: look at the directory again
     * @param hasEnded the directory is gone or has another name by now; nothing more will come
     */
    record Changes(long sequence, List<Changed> entries, boolean mustRescan, boolean hasEnded) {
        public Changes {
            entries = List.copyOf(entries);
        }
    }

    /**
     * One name.
     *
     * @param name as it is on disk, perhaps no UTF-8
     * @param what in no order: with CREATED and REMOVED look what is there
     */
    record Changed(Bytes name, Set<Change> what) {
        public Changed {
            requireNonNull(name, "name");
            what = Set.copyOf(what);
        }
    }

    /** What may happen to a name. */
    enum Change {
        /** Or moved here. */
        CREATED,
        WRITTEN,
        /** Mode, owner, times or number of links. */
        ATTRIBUTES,
        /** Or moved away. */
        REMOVED
    }

    /** What is watched, relative to the workspace with all links resolved; "." is itself. */
    Bytes path();

    /** Whether it is a directory, and not a single name. */
    boolean isDirectory();

    /**
     * Waits for changes. Once it has ended, that is said again each time.
     *
     * @return empty when nothing changed within {@code atMost}
     */
    Optional<Changes> next(Duration atMost);

    /** Ends it. */
    @Override
    void close();
}
