package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.Bytes;

/**
 * What came out of one stream: its head and, when something between was left out, its tail.
 *
 * @param head the first bytes; everything when nothing was left out
 * @param tail the last bytes, empty when nothing was left out
 * @param totalBytes how many bytes the command wrote
 * @param keptBytes how many of them, from offset 0, can be pulled with {@link Cell#output}
 */
public record CapturedOutput(Bytes head, Bytes tail, long totalBytes, long keptBytes) {
    public CapturedOutput {
        requireNonNull(head, "head");
        requireNonNull(tail, "tail");
        if (totalBytes < (long) head.length() + tail.length()
                || keptBytes < 0
                || keptBytes > totalBytes) {
            throw new IllegalArgumentException(
                    "output of %d bytes cannot have a head of %d, a tail of %d and %d kept"
                            .formatted(totalBytes, head.length(), tail.length(), keptBytes));
        }
    }

    /** Bytes between head and tail. */
    public long leftOutBytes() {
        return totalBytes - head.length() - tail.length();
    }
}
