package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.Bytes;
import java.util.OptionalInt;

/** One change of an {@link Cell#apply}. */
public sealed interface FileChange {

    /** The path that is changed, relative to the workspace. */
    String path();

    /**
     * Writes a whole file, and makes the directories above it that are missing.
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

    /** Removes a file, a symbolic link or an empty directory. */
    record Remove(String path, Expected expected) implements FileChange {
        public Remove {
            requireNonNull(path, "path");
            requireNonNull(expected, "expected");
        }
    }

    /** Moves a file to a path where nothing is. */
    record Rename(String path, String target, Expected expected) implements FileChange {
        public Rename {
            requireNonNull(path, "path");
            requireNonNull(target, "target");
            requireNonNull(expected, "expected");
        }
    }

    /**
     * Makes a directory, and those above it that are missing.
     *
     * @param mode permission bits; empty for 0755
     */
    record Mkdir(String path, OptionalInt mode) implements FileChange {
        public Mkdir {
            requireNonNull(path, "path");
            requireNonNull(mode, "mode");
        }
    }
}
