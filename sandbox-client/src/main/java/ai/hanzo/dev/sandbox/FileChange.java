package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.Bytes;
import java.util.OptionalInt;

/** One change of an {@link Cell#apply}. */
public sealed interface FileChange {

    /**
     * Writes a whole file.
     *
     * @param mode permission bits; empty keeps those of the file, or 0644 for a new one
     * @param expected what must be there now
     */
    record Write(String path, Bytes content, OptionalInt mode, Expected expected)
            implements FileChange {
        public Write {
            requireNonNull(path, "path");
            requireNonNull(content, "content");
            requireNonNull(mode, "mode");
            requireNonNull(expected, "expected");
        }
    }

    /** Removes a file. */
    record Remove(String path, Expected expected) implements FileChange {
        public Remove {
            requireNonNull(path, "path");
            requireNonNull(expected, "expected");
        }
    }

    /** Moves a file to a path where nothing is. */
    record Rename(String from, String to, Expected expected) implements FileChange {
        public Rename {
            requireNonNull(from, "from");
            requireNonNull(to, "to");
            requireNonNull(expected, "expected");
        }
    }
}
