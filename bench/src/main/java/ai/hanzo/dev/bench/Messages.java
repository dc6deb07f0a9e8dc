package ai.hanzo.dev.bench;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** The values that the codecs carry: the result of a command, and a listing of 100 files. */
final class Messages {
    /** Files in the listing. */
    static final int ENTRIES = 100;

    /** Permission bits of each. */
    static final int MODE = 0644;

    /** What the command printed: 224 bytes. Never written to. */
    @SuppressWarnings("MutablePublicArray") // seen by this package only
    static final byte[] STDOUT =
            "compiled 14 files in 812 ms\n".repeat(8).getBytes(StandardCharsets.UTF_8);

    static final String MESSAGE = "the command exited with 2";

    private Messages() {}

    static List<byte[]> names() {
        return IntStream.range(0, ENTRIES)
                .mapToObj(i -> ("Session" + i + ".java").getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    static long sizeBytes(int entry) {
        return 1_000L + entry;
    }

    static long mtimeNanos(int entry) {
        return 1_700_000_000_000_000_000L + entry;
    }
}
