package ai.hanzo.dev.host.archive;

import ai.hanzo.dev.host.archive.v1.SessionFileProto.Record;
import ai.hanzo.dev.ledger.ArchiveRow;
import ai.hanzo.dev.ledger.Archives;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;

/**
 * What a session file is made of.
 *
 * <pre>
 *   0   8 bytes  "HANZOSES"
 *   8   u32      version, 2; big-endian
 *   12  gzip     records of session_file.proto, each after its length as a varint; the last one
 *                is End with the digest of all before
 * </pre>
 */
public final class SessionFile {
    static final byte[] MAGIC = {'H', 'A', 'N', 'Z', 'O', 'S', 'E', 'S'};

    /** The version that this release writes, and the newest that it reads. */
    public static final int VERSION = 2;

    /** No record is larger: above the largest file that a checkpoint holds, 64 MiB. */
    static final int MAX_RECORD_BYTES = 256 << 20;

    private SessionFile() {}

    /** A part of the file, in the order in which they come. */
    public sealed interface Part {
        /** The session's own row: the first part. */
        record Head(Archives.Head head) implements Part {}

        /** A row of the session. */
        record Row(ArchiveRow row) implements Part {}

        /** A stored file; its content has been checked against its digest. */
        record Stored(Sha256 digest, Bytes content) implements Part {}

        /** A body in plain; its name need not be its digest. */
        record Body(Sha256 name, Bytes content) implements Part {}
    }

    /** The part that a record is, in a session of {@code head}. */
    static Part part(Record record, RowMessages rows) {
        return switch (record.getRecordCase()) {
            case HEAD -> new Part.Head(RowMessages.head(record.getHead()));
            case ENTRY -> new Part.Row(rows.entry(record.getEntry()));
            case RUN -> new Part.Row(rows.run(record.getRun()));
            case ACTION -> new Part.Row(RowMessages.action(record.getAction()));
            case DECISION -> new Part.Row(RowMessages.decision(record.getDecision()));
            case APPROVAL -> new Part.Row(rows.approval(record.getApproval()));
            case BLOB -> stored(record);
            case BODY ->
                    new Part.Body(
                            RowMessages.digest(record.getBody().getName()),
                            Bytes.wrap(record.getBody().getContent().toByteArray()));
            case END, RECORD_NOT_SET ->
                    throw SessionFileException.damaged("a record that cannot be there");
        };
    }

    private static Part stored(Record record) {
        Sha256 digest = RowMessages.digest(record.getBlob().getDigest());
        Bytes content = Bytes.wrap(record.getBlob().getContent().toByteArray());
        if (!Sha256.of(content).equals(digest)) {
            throw SessionFileException.damaged("the stored file " + digest.toHex());
        }
        return new Part.Stored(digest, content);
    }
}
