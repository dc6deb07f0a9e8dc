package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
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
 * <p>Paths are relative to the workspace, with {@code /}; the cell refuses those that leave it.
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

    /** Runs a command and waits for its end. The cell's deadline is the request's timeout. */
    Reply<ExecOutcome> exec(ActionId id, ExecRequest request);

    /** Reads a range of a regular file; at most {@link Limits#readBytes()} bytes at once. */
    Reply<FileContent> read(String path, long offset, int length);

    /**
     * Hands over bytes that do not fit in one request, for a later {@link FileChange} or stdin that
     * names them by {@link StagedBytes}. They die with the incarnation.
     */
    Reply<StagedBytes> stage(ActionId id, Bytes content);

    /** Writes one file: staged beside its place, synced, renamed over it. */
    Reply<FileOutcome> write(ActionId id, WriteRequest request);

    /** Changes several files: all of them or none. */
    Reply<FileOutcome> apply(ActionId id, List<FileChange> changes);

    /** Removes one file or empty directory. */
    Reply<FileOutcome> remove(ActionId id, String path);

    /** Renames within the workspace; an existing target is refused. */
    Reply<FileOutcome> rename(ActionId id, String from, String to);

    /** Makes one directory, and its parents when they are missing. */
    Reply<FileOutcome> mkdir(ActionId id, String path, int mode);

    Reply<FileStat> stat(String path);

    /**
     * Entries of a directory, sorted by name, from index {@code offset}; the total is in the page.
     */
    Reply<DirectoryPage> list(String path, int offset, int limit);

    /** Lines that match a POSIX extended regular expression, in files whose path matches a glob. */
    Reply<SearchResult> search(SearchRequest request);

    /**
     * Pulls what a command printed, from an offset in the stream; works while it runs and until its
     * outcome is acknowledged. Bytes beyond what the cell keeps are gone and refused.
     */
    Reply<OutputChunk> output(ActionId id, OutputStreamName stream, long offset, int length);

    /** What the cell knows of an action. */
    ActionStatus status(ActionId id);

    /**
     * Waits for an effect that was started earlier, perhaps by another host, and takes its outcome.
     * Unknown and forgotten ids are refused.
     *
     * @throws CellException {@code TIMEOUT} when it has not ended within {@code atMost}
     */
    Reply<CellOutcome> await(ActionId id, Duration atMost);

    /** Says that the outcome is committed and need not be held any more. Repeats are harmless. */
    void ack(ActionId id);

    /**
     * Says that every id at or below this one is settled: the cell frees them and refuses them for
     * ever.
     */
    void lowWater(ActionId id);

    /** Kills the tree of a running command; its outcome then says cancelled. Others: no effect. */
    void cancel(ActionId id);

    /** Processes that finished commands left running, by their number in the cell. */
    Reply<List<LeftProcess>> processes();

    /**
     * Waits until the lease ends and says why: for the thread that watches a session's cell.
     *
     * @return empty when the lease is still good after {@code atMost}
     */
    Optional<CellException> awaitEnd(Duration atMost);

    /** Lets go of the lease. The cell and its commands live on; see {@link Cells#kill}. */
    @Override
    void close();
}
