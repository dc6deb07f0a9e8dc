package ai.hanzo.dev.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The same messages as JSON by Jackson, to records and back. One thread. */
final class JacksonCodec {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ObjectReader RESULTS = MAPPER.readerFor(Result.class);
    private static final ObjectReader LISTINGS = MAPPER.readerFor(Listing.class);
    private static final ObjectWriter WRITER = MAPPER.writer();

    private final String stdout = new String(Messages.STDOUT, StandardCharsets.UTF_8);
    private final List<String> names =
            Messages.names().stream().map(n -> new String(n, StandardCharsets.UTF_8)).toList();

    record Result(long id, int status, int exit, String stdout, long stdoutBytes, String message) {}

    record Entry(int kind, int mode, long sizeBytes, long mtimeNanos, String name) {}

    record Listing(List<Entry> entries, int total) {
        Listing {
            entries = List.copyOf(entries);
        }
    }

    long openAndRead(byte[] message) {
        try {
            Result result = RESULTS.readValue(message);
            return result.id
                    + result.status
                    + result.exit
                    + result.stdoutBytes
                    + result.stdout.length();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    byte[] buildResult() {
        return write(new Result(42, 2, 2, stdout, Messages.STDOUT.length, Messages.MESSAGE));
    }

    byte[] buildListing() {
        var entries = new ArrayList<Entry>(Messages.ENTRIES);
        for (int i = 0; i < Messages.ENTRIES; i++) {
            entries.add(
                    new Entry(
                            1,
                            Messages.MODE,
                            Messages.sizeBytes(i),
                            Messages.mtimeNanos(i),
                            names.get(i)));
        }
        return write(new Listing(entries, Messages.ENTRIES));
    }

    private static byte[] write(Object value) {
        try {
            return WRITER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    long readListing(byte[] message) {
        try {
            Listing listing = LISTINGS.readValue(message);
            long sum = 0;
            for (Entry entry : listing.entries) {
                sum += entry.sizeBytes + entry.mode + entry.name.length();
            }
            return sum;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
