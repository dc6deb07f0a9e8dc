package ai.hanzo.dev.bench;

import ai.hanzo.dev.protocol.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A conversation as a file that every engine can read: Config, state and the events of one turn,
 * each behind its length as u32, little-endian.
 */
final class Script {
    private Script() {}

    /** Where the conversation of so many messages is. */
    static Path file(Path folder, int messages) {
        return folder.resolve(messages + ".script");
    }

    static void write(Path file, Conversation conversation) throws IOException {
        var bytes = new ByteArrayOutputStream();
        part(bytes, conversation.config());
        part(bytes, conversation.state());
        conversation.turn().forEach(event -> part(bytes, event));
        Files.write(file, bytes.toByteArray());
    }

    private static void part(ByteArrayOutputStream out, Bytes bytes) {
        byte[] length =
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(bytes.length())
                        .array();
        out.writeBytes(length);
        out.writeBytes(bytes.toArray());
    }

    /** The conversation of a file, without the events that led to its state. */
    static Conversation read(Path file) throws IOException {
        ByteBuffer parts = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        Bytes config = part(parts);
        Bytes state = part(parts);
        var turn = new ArrayList<Bytes>();
        while (parts.hasRemaining()) {
            turn.add(part(parts));
        }
        return new Conversation(config, List.of(), state, turn);
    }

    private static Bytes part(ByteBuffer parts) {
        var bytes = new byte[parts.getInt()];
        parts.get(bytes);
        return Bytes.wrap(bytes);
    }
}
