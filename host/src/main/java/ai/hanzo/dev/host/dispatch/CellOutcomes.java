package ai.hanzo.dev.host.dispatch;

import ai.hanzo.dev.host.secret.Redactor;
import ai.hanzo.dev.host.secret.Secrets;
import ai.hanzo.dev.protocol.Blob;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.Outcome.Status;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.sandbox.CapturedOutput;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.ExecOutcome;
import ai.hanzo.dev.sandbox.FileOutcome;
import ai.hanzo.dev.sandbox.OutputChunk;
import ai.hanzo.dev.sandbox.OutputStreamName;
import ai.hanzo.dev.sandbox.RefusalCode;
import ai.hanzo.dev.sandbox.Reply;
import ai.hanzo.dev.workspace.BlobStore;
import ai.hanzo.dev.workspace.Digest;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Turns what a cell says into outcomes. What was cut from a command's output is pulled and kept
 * whole in the store, its secrets masked. Threads: any.
 */
public final class CellOutcomes {
    /** The most of one stream that is kept as an artifact: 64 MiB (the cell keeps no more). */
    static final int MAX_ARTIFACT_BYTES = 64 << 20;

    private final BlobStore store;
    private final Secrets secrets;

    /** With what is masked in what commands print. */
    public CellOutcomes(BlobStore store, Secrets secrets) {
        this.store = store;
        this.secrets = secrets;
    }

    /** The bytes of {@code content}, from the store if they are kept there. */
    public Bytes load(Content content) {
        return switch (content) {
            case Content.Inline(Bytes bytes) -> bytes;
            case Content.Stored(Blob blob) ->
                    Bytes.wrap(store.get(Digest.fromBytes(blob.digest().bytes().toArray())));
        };
    }

    /** How a command ended. */
    Outcome ofExec(Cell cell, ActionId id, ExecOutcome exec) {
        List<Blob> artifacts = new ArrayList<>();
        artifact(cell, id, OutputStreamName.STDOUT, exec.stdout()).ifPresent(artifacts::add);
        artifact(cell, id, OutputStreamName.STDERR, exec.stderr()).ifPresent(artifacts::add);
        Bytes stdout = shown(exec.stdout());
        Bytes stderr = shown(exec.stderr());
        boolean truncated = exec.stdout().leftOutBytes() + exec.stderr().leftOutBytes() > 0;
        return new Outcome(
                status(exec),
                exec.end() == ExecOutcome.End.ENDED ? Optional.of(exec.exit()) : Optional.empty(),
                stdout,
                stderr,
                exec.stdout().totalBytes(),
                exec.stderr().totalBytes(),
                truncated,
                artifacts,
                message(exec));
    }

    /** A secret must not be told in two halves. */
    private Bytes shown(CapturedOutput output) {
        if (output.leftOutBytes() == 0) {
            return output.head().concat(output.tail());
        }
        Redactor redactor = secrets.redactor();
        return redactor.maskHead(output.head()).concat(redactor.maskTail(output.tail()));
    }

    private static Status status(ExecOutcome exec) {
        return switch (exec.end()) {
            case ENDED -> exec.succeeded() ? Status.OK : Status.FAILED;
            case TIMED_OUT -> Status.FAILED;
            case CANCELLED -> Status.CANCELLED;
        };
    }

    private static String message(ExecOutcome exec) {
        String how =
                switch (exec.end()) {
                    case ENDED ->
                            exec.signal() == 0 ? "" : "killed by signal " + exec.signal() + ". ";
                    case TIMED_OUT ->
                            "timed out after "
                                    + exec.elapsedMillis()
                                    + " ms: the command and all it had started were killed. ";
                    case CANCELLED -> "was cancelled. ";
                };
        String left =
                exec.leftRunning() == 0
                        ? ""
                        : exec.leftRunning() == 1
                                ? "It left a process running, which was killed. "
                                : "It left "
                                        + exec.leftRunning()
                                        + " processes running, which were killed. ";
        String reverted =
                exec.reverted().isEmpty()
                        ? ""
                        : "Put back, because they are protected: "
                                + String.join(", ", exec.reverted())
                                + ". ";
        return (how + left + reverted).strip();
    }

    private Optional<Blob> artifact(
            Cell cell, ActionId id, OutputStreamName stream, CapturedOutput output) {
        if (output.leftOutBytes() == 0) {
            return Optional.empty();
        }
        long wanted = Math.min(output.keptBytes(), MAX_ARTIFACT_BYTES);
        ByteArrayOutputStream whole = new ByteArrayOutputStream((int) Math.min(wanted, 1 << 20));
        while (whole.size() < wanted) {
            int length = (int) Math.min(cell.limits().chunkBytes(), wanted - whole.size());
            Reply<OutputChunk> reply = cell.output(id, stream, whole.size(), length);
            if (!(reply instanceof Reply.Done<OutputChunk>(OutputChunk chunk))
                    || chunk.content().isEmpty()) {
                break;
            }
            whole.writeBytes(chunk.content().toArray());
        }
        if (whole.size() == 0) {
            return Optional.empty();
        }
        byte[] bytes = secrets.redactor().mask(Bytes.wrap(whole.toByteArray())).toArray();
        Digest digest = store.put(bytes);
        return Optional.of(
                new Blob(
                        new Sha256(Bytes.wrap(digest.toBytes())),
                        bytes.length,
                        "application/octet-stream",
                        stream == OutputStreamName.STDOUT ? "stdout" : "stderr"));
    }

    /**
     * Which files were changed, one to a line.
     *
     * @param paths as they were asked for, in order; empty if that is not known any more
     */
    Outcome ofFiles(FileOutcome files, List<String> paths) {
        if (files.failure().isPresent()) {
            FileOutcome.Failure failure = files.failure().get();
            return Outcome.of(status(failure.code()), failure.message());
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < files.files().size(); i++) {
            FileOutcome.ChangedFile file = files.files().get(i);
            text.append(i < paths.size() ? paths.get(i) : "file " + (i + 1));
            if (file.sha256().isPresent()) {
                text.append(file.isNew() ? " made, " : " changed, ");
                text.append(file.sizeBytes()).append(" bytes");
            } else {
                text.append(" removed");
            }
            text.append('\n');
        }
        return Outcome.ok(Bytes.utf8(text.toString()));
    }

    /** The cell did nothing, and says why. */
    static Outcome refused(Reply.Refused<?> refused) {
        return Outcome.of(status(refused.code()), refused.message());
    }

    private static Status status(RefusalCode code) {
        return Denials.kind(code).isPresent() ? Status.DENIED : Status.FAILED;
    }
}
