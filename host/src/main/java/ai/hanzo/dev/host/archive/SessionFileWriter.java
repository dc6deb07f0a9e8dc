package ai.hanzo.dev.host.archive;

import ai.hanzo.dev.host.archive.v1.SessionFileProto.Record;
import ai.hanzo.dev.ledger.ArchiveRow;
import ai.hanzo.dev.ledger.Archives;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a session file: the head, the rows, the stored files, the bodies, then {@link #end},
 * without which it is cut short. One thread; throws {@link UncheckedIOException} when the place
 * cannot take it.
 */
public final class SessionFileWriter {
    private static final int BUFFER_BYTES = 1 << 16;

    private final GZIPOutputStream out;
    private final MessageDigest digest = Sha256.newDigest();

    /** Begins the file in {@code place}, which stays open. */
    public SessionFileWriter(OutputStream place) {
        try {
            var header = new DataOutputStream(place);
            header.write(SessionFile.MAGIC);
            header.writeInt(SessionFile.VERSION);
            header.flush();
            out = new GZIPOutputStream(place, BUFFER_BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The session's own row, first. */
    public void head(Archives.Head head) {
        write(MessageRows.head(head));
    }

    /** A row. */
    public void row(ArchiveRow row) {
        write(MessageRows.row(row));
    }

    /** A stored file. */
    public void stored(Sha256 name, Bytes content) {
        write(MessageRows.blob(name, content));
    }

    /** A body, under the name that the journal has for it. */
    public void body(Sha256 name, Bytes content) {
        write(MessageRows.body(name, content));
    }

    /** The end. */
    public void end() {
        write(MessageRows.end(new Sha256(Bytes.wrap(digest.digest()))));
        try {
            out.finish();
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(Record message) {
        if (message.getSerializedSize() > SessionFile.MAX_RECORD_BYTES) {
            throw new IllegalArgumentException(
                    "a record of " + message.getSerializedSize() + " bytes is too large");
        }
        try {
            var bytes = new ByteArrayOutputStream(message.getSerializedSize() + 10);
            message.writeDelimitedTo(bytes);
            byte[] written = bytes.toByteArray();
            digest.update(written);
            out.write(written);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
