package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One leased cell: a confined process tree that runs commands and touches files for one session.
 *
 * <p>Effects ({@link #exec}, {@link #write}, {@link #apply}, {@link #remove}, {@link #rename},
 * {@link #mkdir}) carry an action id. The cell does an id at most once and holds its outcome until
 * {@link #ack}: sending the same request again gives the held outcome, sending another request
 * under the same id is refused. Reads are never recorded.
 *
 * <p>Threads: any; every call blocks its caller and none holds a carrier thread. Up to {@link
 * Limits#requestsAtOnce()} calls run at once, further ones wait their turn.
 *
 * <p>Failures: what the cell decided against is a {@link Reply.Refused} (nothing happened, the id
 * stays free). A broken or fenced lease is a {@link CellException}; the lease is then dead and
 * every later call fails the same way. After {@code CELL_LOST} an effect in flight is in doubt.
 *
 * <p>Paths are relative to the workspace, or absolute beneath {@link #workspace()}; the cell
 * refuses those that leave it.
 */
public interface Cell extends AutoCloseable {

    SessionId session();

    /** The lease epoch that every request carries. */
    Epoch epoch();

    /** Which process this is: it changes when the cell was lost and spawned anew. */
    Incarnation incarnation();

    /** What is enforced on everything in this cell. */
    Enforced enforced();

    Limits limits();

    /** The workspace as a command sees it: its real path, or /workspace. */
    Path workspace();

    /** Runs a command and waits for its end. The deadline is the request's timeout. */
    Reply<ExecOutcome> exec(ActionId id, ExecRequest request);

    /**
     * Starts a program to talk to, and follows what it prints. That it could not be started is said
     * by its end.
     */
    LiveProgram spawn(ActionId id, SpawnRequest request);

    /**
     * Follows a program that was started earlier, perhaps by another host, from these offsets of
     * what it printed. Whoever followed it before hears nothing more. One that has ended tells the
     * rest and its end; the end of one that is not known is a refusal.
     */
    LiveProgram attach(ActionId id, long stdoutSince, long stderrSince);

    /** Reads a range of a regular file; {@code length} at most {@link Limits#chunkBytes()}. */
    Reply<FileContent> read(String path, long offset, int length);

    /**
     * Reads a whole regular file with its digest, for a change that names what it expects.
     *
     * @param atMostBytes a larger file is refused as {@code TOO_LARGE}
     */
    Reply<WholeFile> readWhole(String path, int atMostBytes);

    /** Writes one file: staged beside its place, synced, renamed over it. */
    Reply<FileOutcome> write(ActionId id, WriteRequest request);

    /** Changes several files: all of them or none. */
    Reply<FileOutcome> apply(ActionId id, List<FileChange> changes);

    /** Removes a file, a symbolic link (itself) or an empty directory. */
    Reply<FileOutcome> remove(ActionId id, String path, Expected expected);

    /** Renames within the workspace; an existing target is refused. */
    Reply<FileOutcome> rename(ActionId id, String path, String target, Expected expected);

    /** Makes one directory, and those above it that are missing. */
    Reply<FileOutcome> mkdir(ActionId id, String path);

    /** What is at a path; a link is followed. */
    Reply<FileStat> stat(String path);

    /** Entries of a directory from index {@code offset}; {@code limit} 0 for all that fit. */
    Reply<DirectoryPage> list(String path, int offset, int limit);

    /**
     * Looks for lines or files, by a confined process of its own: a hostile expression or tree
     * holds up nothing else. Four run at once, further ones wait their turn.
     */
    Reply<SearchResult> search(SearchRequest request);

    /** Begins to tell of changes of a directory or of one name; at most 64 at once. */
    Reply<Watch> watch(String path);

    /**
     * Pulls what a command printed, from an offset in the stream: while it runs, and until its
     * outcome is acknowledged. At most {@link Limits#chunkBytes()} at once.
     */
    Reply<OutputChunk> output(ActionId id, OutputStreamName stream, long offset, int length);

    /** What the cell knows of an action. */
    ActionStatus status(ActionId id);

    /**
     * Waits for an effect that was started earlier, perhaps by another host, and takes its outcome.
     * Ids that never ran or are settled are refused.
     *
     * @throws CellException {@code TIMEOUT} when it has not ended within {@code atMost}
     */
    Reply<CellOutcome> await(ActionId id, Duration atMost);

    /** Says that these outcomes are committed and need not be held any more. May be repeated. */
    void ack(ActionId... ids);

    /**
     * Says that every id at or below this one is settled: with the next request the cell frees them
     * and refuses them for ever. It never sinks.
     */
    void lowWater(ActionId id);

    /**
     * Kills the tree of a running command or program; its outcome then says cancelled. Else no
     * effect.
     */
    void cancel(ActionId id);

    /**
     * Waits until the lease ends and says why: for a thread that watches a session's cell.
     *
     * @return empty when the lease is still good after {@code atMost}
     */
    Optional<CellException> awaitEnd(Duration atMost);

    /** Whether the lease has ended: nothing that is sent now will arrive. */
    boolean isOver();

    /** Lets go of the lease. The cell and its commands live on; see {@link Cells#kill}. */
    @Override
    void close();
}
