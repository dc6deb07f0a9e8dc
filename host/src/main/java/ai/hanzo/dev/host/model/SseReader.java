package ai.hanzo.dev.host.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads server-sent events from a stream of bytes: WHATWG HTML, section 9.2.6, without ids and
 * retry times. A line is decoded when all its bytes are there, so that no character is ever split.
 * Used by one thread.
 */
final class SseReader {
    /** The longest response that is read: 24 MiB; the core takes events of up to 32 MiB. */
    static final int MOST_BYTES = 24 << 20;

    private final InputStream in;
    private final byte[] buffer = new byte[16 * 1024];
    private int at;
    private int end;
    private int totalBytes;
    private boolean afterReturn;

    SseReader(InputStream in) {
        this.in = in;
    }

    /** One event; an event without a name is called {@code message}. */
    record SseEvent(String name, String data) {}

    /**
     * The next event; empty at the end of the stream. An event that the end cuts off is dropped.
     */
    Optional<SseEvent> next() throws IOException {
        String name = "";
        StringBuilder data = new StringBuilder();
        while (true) {
            Optional<String> read = line();
            if (read.isEmpty()) {
                return Optional.empty();
            }
            String line = read.get();
            if (line.isEmpty()) {
                if (!data.isEmpty()) {
                    data.setLength(data.length() - 1);
                    return Optional.of(
                            new SseEvent(name.isEmpty() ? "message" : name, data.toString()));
                }
                name = "";
            } else if (line.startsWith("data:")) {
                data.append(value(line, "data:")).append('\n');
            } else if (line.startsWith("event:")) {
                name = value(line, "event:");
            }
        }
    }

    private static String value(String line, String field) {
        String value = line.substring(field.length());
        return value.startsWith(" ") ? value.substring(1) : value;
    }

    /** A line ends with CR, LF or CR LF. */
    private Optional<String> line() throws IOException {
        byte[] line = new byte[256];
        int length = 0;
        while (true) {
            int next = read();
            if (next < 0) {
                return Optional.empty();
            }
            if (next == '\n' && afterReturn) {
                afterReturn = false;
                continue;
            }
            afterReturn = next == '\r';
            if (next == '\n' || next == '\r') {
                return Optional.of(new String(line, 0, length, StandardCharsets.UTF_8));
            }
            if (length == line.length) {
                line = Arrays.copyOf(line, length * 2);
            }
            line[length++] = (byte) next;
        }
    }

    private int read() throws IOException {
        if (at == end) {
            end = in.read(buffer);
            at = 0;
            if (end <= 0) {
                end = 0;
                return -1;
            }
            totalBytes += end;
            if (totalBytes > MOST_BYTES) {
                throw new IOException("the reply is longer than " + MOST_BYTES + " bytes");
            }
        }
        return buffer[at++] & 0xff;
    }
}
