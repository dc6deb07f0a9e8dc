package ai.hanzo.dev.host;

import ai.hanzo.dev.host.local.HostFile;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Follows a session as any client of the stream does. */
final class TurnStream {
    private static final int PATIENCE_MILLIS = 60_000;

    private TurnStream() {}

    static List<JsonNode> read(HostFile host, String session, int after) throws IOException {
        return read(host.address(), host.token().orElseThrow(), session, after);
    }

    /** Reads the entries after {@code after}, until one is the end of a turn. */
    static List<JsonNode> read(URI address, String token, String session, int after)
            throws IOException {
        var connection =
                (HttpURLConnection)
                        address.resolve("/v1/dev/" + session + "/stream").toURL().openConnection();
        connection.setRequestProperty("Authorization", "Bearer " + token);
        connection.setRequestProperty("Accept", "text/event-stream");
        connection.setReadTimeout(PATIENCE_MILLIS);
        if (after > 0) {
            connection.setRequestProperty("Last-Event-ID", Integer.toString(after));
        }
        List<JsonNode> entries = new ArrayList<>();
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(
                                connection.getInputStream(), StandardCharsets.UTF_8))) {
            String event = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event:")) {
                    event = line.substring(6).strip();
                }
                if (line.startsWith("data:") && event.equals("entry")) {
                    JsonNode entry = Lines.json(line.substring(5));
                    entries.add(entry);
                    if (entry.has("done")) {
                        return entries;
                    }
                }
            }
        } finally {
            connection.disconnect();
        }
        throw new AssertionError("the stream ended before the turn: " + entries);
    }
}
