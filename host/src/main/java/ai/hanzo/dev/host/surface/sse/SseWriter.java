package ai.hanzo.dev.host.surface.sse;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.StreamItem;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;

/**
 * Writes items as events. One thread. The JSON has no line breaks, so data is always one line.
 *
 * <pre>
 * id: 12                 only of a recorded entry: its sequence
 * event: entry           or delta, reset, end
 * data: {"seq":12,...}
 * </pre>
 */
final class SseWriter {
    private final OutputStream out;

    SseWriter(OutputStream out) {
        this.out = out;
    }

    /**
     * The opening: how long to wait before coming back, and the id that the client came with, as an
     * event without data, so that one who is cut off before the first entry comes back with it.
     */
    void open(int after) throws IOException {
        text("retry: 1000\n: follows after " + after + "\n");
        text(after > 0 ? "id: " + after + "\n\n" : "\n");
    }

    void heartbeat() throws IOException {
        text(": still here\n\n");
    }

    void write(StreamItem item) throws IOException {
        switch (item) {
            case StreamItem.Entry(var entry) ->
                    text(
                            "id: "
                                    + entry.getSeq()
                                    + "\nevent: entry\ndata: "
                                    + OpJson.print(entry)
                                    + "\n\n");
            case StreamItem.Delta(var delta) ->
                    text("event: delta\ndata: " + OpJson.print(delta) + "\n\n");
            case StreamItem.Reset(var reset) ->
                    text(
                            "id: "
                                    + reset.getAfter()
                                    + "\nevent: reset\ndata: "
                                    + OpJson.print(reset)
                                    + "\n\n");
            case StreamItem.End(var reason) ->
                    text(
                            "event: end\ndata: {\"reason\":\""
                                    + reason.name().toLowerCase(Locale.ROOT)
                                    + "\"}\n\n");
        }
    }

    void flush() throws IOException {
        out.flush();
    }

    private void text(String text) throws IOException {
        out.write(text.getBytes(UTF_8));
    }
}
