package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.protocol.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What a patch does to one file. */
sealed interface Section {

    /** The path that is read, as the patch wrote it. */
    String path();

    /** A new file. */
    record Create(String path, Bytes content, OptionalInt mode) implements Section {}

    /**
     * The end of a file.
     *
     * @param content what must be in it; empty when the patch does not say
     */
    record Delete(String path, Optional<Bytes> content) implements Section {}

    /**
     * A changed file.
     *
     * @param target its new path, if it moves
     * @param oldMode permission bits that it must have, as far as git records them
     * @param newMode permission bits that it gets
     */
    record Update(
            String path,
            Optional<String> target,
            List<Hunk> hunks,
            OptionalInt oldMode,
            OptionalInt newMode)
            implements Section {
        public Update {
            hunks = List.copyOf(hunks);
        }
    }
}
