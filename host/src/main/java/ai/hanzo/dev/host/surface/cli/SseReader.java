package ai.hanzo.dev.host.surface.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.Optional;

/** Reads server-sent events (WHATWG HTML, section 9.2.6). One thread. */
final class SseReader {
    private final BufferedReader lines;
    private String event = "";
    private String id = "";
    private final StringBuilder data = new StringBuilder();

    /**
     * One event.
     *
     * @param name {@code message} when the stream gave none
     * @param id the last one that the stream gave, or empty
     */
    record Event(String name, String data, String id) {}

    SseReader(InputStream in) {
        this.lines = new BufferedReader(new InputStreamReader(in, UTF_8));
    }

    /** The next event that has data; empty at the end of the stream. What is cut off is dropped. */
    Optional<Event> next() throws IOException {
        while (true) {
            String line = lines.readLine();
            if (line == null) {
                return Optional.empty();
            }
            if (!line.isEmpty()) {
                field(line);
                continue;
            }
            Event complete = new Event(event.isEmpty() ? "message" : event, data.toString(), id);
            boolean hasData = !data.isEmpty();
            event = "";
            data.setLength(0);
            if (hasData) {
                return Optional.of(complete);
            }
        }
    }

    private void field(String line) {
        int colon = line.indexOf(':');
        String name = colon < 0 ? line : line.substring(0, colon);
        String value = colon < 0 ? "" : line.substring(colon + 1);
        if (value.startsWith(" ")) {
            value = value.substring(1);
        }
        if (name.equals("event")) {
            event = value;
        } else if (name.equals("id")) {
            id = value;
        } else if (name.equals("data")) {
            data.append(data.isEmpty() ? "" : "\n").append(value);
        }
    }
}
