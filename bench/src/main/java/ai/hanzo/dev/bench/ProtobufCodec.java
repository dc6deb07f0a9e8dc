package ai.hanzo.dev.bench;

import ai.hanzo.dev.bench.peer.Entry;
import ai.hanzo.dev.bench.peer.Listing;
import ai.hanzo.dev.bench.peer.Result;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.List;

/** The same messages by protobuf-java. One thread. */
final class ProtobufCodec {
    private final ByteString stdout = ByteString.copyFrom(Messages.STDOUT);
    private final List<ByteString> names =
            Messages.names().stream().map(ByteString::copyFrom).toList();

    long openAndRead(byte[] message) {
        try {
            Result result = Result.parseFrom(message);
            return result.getId()
                    + result.getStatus()
                    + result.getExit()
                    + result.getStdoutBytes()
                    + result.getStdout().size();
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    byte[] buildResult() {
        return Result.newBuilder()
                .setId(42)
                .setStatus(2)
                .setExit(2)
                .setStdout(stdout)
                .setStdoutBytes(Messages.STDOUT.length)
                .setMessage(Messages.MESSAGE)
                .build()
                .toByteArray();
    }

    byte[] buildListing() {
        Listing.Builder listing = Listing.newBuilder().setTotal(Messages.ENTRIES);
        for (int i = 0; i < Messages.ENTRIES; i++) {
            listing.addEntries(
                    Entry.newBuilder()
                            .setKind(1)
                            .setMode(Messages.MODE)
                            .setSizeBytes(Messages.sizeBytes(i))
                            .setMtimeNanos(Messages.mtimeNanos(i))
                            .setName(names.get(i)));
        }
        return listing.build().toByteArray();
    }

    long readListing(byte[] message) {
        try {
            long sum = 0;
            for (Entry entry : Listing.parseFrom(message).getEntriesList()) {
                sum += entry.getSizeBytes() + entry.getMode() + entry.getName().size();
            }
            return sum;
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }
}
