package ai.hanzo.dev.host.archive;

import ai.hanzo.dev.host.archive.SessionFile.Part;
import ai.hanzo.dev.host.archive.v1.SessionFileProto.Record;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads a session file part by part. Its content is nobody's word for anything: lengths are bound,
 * values checked, and only after the last part is it known that all of it is as it was written. One
 * thread; throws {@link SessionFileException}, and {@link UncheckedIOException} when it cannot be
 * read at all.
 */
public final class SessionFileReader {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MAX_VARINT_BYTES = 5;

    private final GZIPInputStream in;
    private final MessageDigest digest = Sha256.newDigest();
    private Optional<RowMessages> rows = Optional.empty();

    /** Reads the beginning of {@code place}, which stays open. */
    public SessionFileReader(InputStream place) {
        try {
            var header = new DataInputStream(place);
            if (!Arrays.equals(header.readNBytes(SessionFile.MAGIC.length), SessionFile.MAGIC)) {
                throw SessionFileException.other();
            }
            int version = header.readInt();
            if (version > SessionFile.VERSION) {
                throw SessionFileException.newer(version);
            }
            if (version < 1) {
                throw SessionFileException.damaged("its version is " + version);
            }
            in = new GZIPInputStream(place, BUFFER_BYTES);
        } catch (IOException e) {
            throw fault(e);
        }
    }

    /** The next part; empty after the last, and then the file is whole. */
    public Optional<Part> next() {
        try {
            byte[] length = readLength();
            byte[] body = readBody(length);
            Record message = Record.parseFrom(body);
            if (message.hasEnd()) {
                end(RowMessages.digest(message.getEnd().getDigest()));
                return Optional.empty();
            }
            digest.update(length);
            digest.update(body);
            return Optional.of(part(message));
        } catch (InvalidProtocolBufferException e) {
            throw SessionFileException.damaged("a record cannot be read", e);
        } catch (IllegalArgumentException e) {
            throw SessionFileException.damaged(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw fault(e);
        }
    }

    private Part part(Record message) {
        if (message.hasHead() == rows.isPresent()) {
            throw SessionFileException.damaged("its head is not the first record");
        }
        if (message.hasHead()) {
            Part.Head head = new Part.Head(RowMessages.head(message.getHead()));
            rows =
                    Optional.of(
                            new RowMessages(
                                    head.head().session().org(), head.head().session().id()));
            return head;
        }
        return SessionFile.part(message, rows.orElseThrow());
    }

    private void end(Sha256 said) throws IOException {
        if (!said.equals(new Sha256(Bytes.wrap(digest.digest())))) {
            throw SessionFileException.damaged("its digest is another");
        }
        if (in.read() >= 0) {
            throw SessionFileException.damaged("something follows its end");
        }
    }

    /** The bytes of a varint. */
    private byte[] readLength() throws IOException {
        byte[] length = new byte[MAX_VARINT_BYTES];
        for (int i = 0; i < MAX_VARINT_BYTES; i++) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("no end");
            }
            length[i] = (byte) next;
            if (next < 0x80) {
                return Arrays.copyOf(length, i + 1);
            }
        }
        throw SessionFileException.damaged("a length cannot be read");
    }

    private byte[] readBody(byte[] length) throws IOException {
        long bytes = 0;
        for (int i = length.length - 1; i >= 0; i--) {
            bytes = bytes << 7 | (length[i] & 0x7f);
        }
        if (bytes > SessionFile.MAX_RECORD_BYTES) {
            throw SessionFileException.damaged("a record of " + bytes + " bytes");
        }
        byte[] body = in.readNBytes((int) bytes);
        if (body.length < bytes) {
            throw new EOFException("half a record");
        }
        return body;
    }

    private static RuntimeException fault(IOException e) {
        return switch (e) {
            case EOFException end -> SessionFileException.cutShort(end);
            case ZipException broken ->
                    SessionFileException.damaged("it cannot be unpacked", broken);
            default -> new UncheckedIOException(e);
        };
    }
}
