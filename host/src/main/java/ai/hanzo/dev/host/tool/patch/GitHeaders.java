package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.host.tool.patch.UnifiedParser.RawSection;
import ai.hanzo.dev.protocol.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The lines that may stand before a file's {@code ---}. Those that say nothing are passed over;
 * those that would change something are applied or refused, never ignored.
 */
final class GitHeaders {

    private static final List<String> INERT = List.of("index ", "diff ", "Index: ", "=====");
    private static final List<String> REFUSED =
            List.of(
                    "rename from ",
                    "rename to ",
                    "copy from ",
                    "copy to ",
                    "similarity index ",
                    "dissimilarity index ");
    private static final List<String> BINARY = List.of("Binary files ", "GIT binary patch");

    private GitHeaders() {}

    static boolean isOne(Bytes line) {
        return PatchText.starts(line, "diff ")
                || PatchText.starts(line, "Index: ")
                || PatchText.starts(line, "Binary files ")
                || PatchText.starts(line, "Only in ");
    }

    /** Reads up to the {@code ---} line, or to where no such line is due. */
    static void read(PatchText text, RawSection section) {
        while (!text.isAtEnd()) {
            String line = text.peekText();
            if (line.startsWith("diff --git ")) {
                if (section.gitLine.isPresent()) {
                    return;
                }
                section.gitLine = Optional.of(line.substring("diff --git ".length()));
            } else if (!isTaken(line, text.number(), section)) {
                return;
            }
            text.take();
        }
    }

    private static boolean isTaken(String line, int number, RawSection section) {
        if (REFUSED.stream().anyMatch(line::startsWith)) {
            throw PatchRefusal.of(
                    "Line %d of the patch renames or copies a file, which a diff cannot do here: use"
                            + " *** Move to in a *** Begin Patch text, or delete and create.",
                    number);
        }
        if (BINARY.stream().anyMatch(line::startsWith)) {
            throw PatchRefusal.of(
                    "Line %d of the patch changes a binary file: write the whole file instead.",
                    number);
        }
        if (line.startsWith("old mode ")) {
            section.oldMode = mode(line, number);
            return true;
        }
        if (line.startsWith("new mode ")) {
            section.newMode = mode(line, number);
            return true;
        }
        if (line.startsWith("new file mode ")) {
            section.isNew = true;
            section.newMode = mode(line, number);
            return true;
        }
        if (line.startsWith("deleted file mode ")) {
            section.isDeleted = true;
            section.oldMode = mode(line, number);
            return true;
        }
        return INERT.stream().anyMatch(line::startsWith);
    }

    /** git records a plain file's mode as 100644 or 100755 and nothing else. */
    private static OptionalInt mode(String line, int number) {
        return switch (line.substring(line.lastIndexOf(' ') + 1)) {
            case "100644" -> OptionalInt.of(0644);
            case "100755" -> OptionalInt.of(0755);
            default ->
                    throw PatchRefusal.of(
                            "Line %d of the patch (%s) is not about a plain file.", number, line);
        };
    }
}
