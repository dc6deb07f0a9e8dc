package ai.hanzo.dev.protocol;

/** Bytes that travel in the message itself, or stay in the store. */
public sealed interface Content {
    /** What is longer than this must be {@link Stored}: 96 KiB. */
    int MAX_INLINE_BYTES = 96 * 1024;

    /** Nothing, inline. */
    Content NONE = new Inline(Bytes.empty());

    /** The number of bytes. */
    long sizeBytes();

    /** Bytes in the message. */
    record Inline(Bytes bytes) implements Content {
        @Override
        public long sizeBytes() {
            return bytes.length();
        }
    }

    /** Bytes in the store. */
    record Stored(Blob blob) implements Content {
        @Override
        public long sizeBytes() {
            return blob.sizeBytes();
        }
    }

    /** {@code bytes} inline. */
    static Content of(Bytes bytes) {
        return bytes.isEmpty() ? NONE : new Inline(bytes);
    }
}
