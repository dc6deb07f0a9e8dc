package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.host.tool.patch.UnifiedParser.RawSection;
import ai.hanzo.dev.protocol.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Finds the paths of a diff's files: all names carry git's {@code a/} and {@code b/}, or none does.
 * A diff that does not agree with itself is refused.
 */
final class PathAgreement {

    private final List<RawSection> raw;

    private PathAgreement(List<RawSection> raw) {
        this.raw = raw;
    }

    static PathAgreement of(List<RawSection> raw) {
        return new PathAgreement(raw);
    }

    List<Section> sections() {
        boolean hasPrefixes = raw.stream().allMatch(PathAgreement::canHavePrefixes);
        List<Section> sections = new ArrayList<>();
        for (RawSection section : raw) {
            sections.add(section(section, pathOf(section, hasPrefixes)));
        }
        return sections;
    }

    private static boolean canHavePrefixes(RawSection section) {
        return section.oldName.filter(name -> !isNull(name)).stream().allMatch(n -> starts(n, 'a'))
                && section.newName.filter(n -> !isNull(n)).stream().allMatch(n -> starts(n, 'b'));
    }

    private static boolean starts(String name, char prefix) {
        return name.length() > 2 && name.charAt(0) == prefix && name.charAt(1) == '/';
    }

    private static boolean isNull(String name) {
        return name.equals(Paths.NULL_DEVICE);
    }

    private static String pathOf(RawSection section, boolean hasPrefixes) {
        if (section.oldName.isEmpty()) {
            return Paths.require(ofGitLine(section.gitLine.orElse(""), section.line), section.line);
        }
        Optional<String> oldPath = bare(section.oldName, hasPrefixes);
        Optional<String> newPath = bare(section.newName, hasPrefixes);
        if (oldPath.isEmpty() && newPath.isEmpty()) {
            throw PatchRefusal.of("Line %d of the patch names /dev/null twice.", section.line);
        }
        if (oldPath.isPresent() && newPath.isPresent() && !oldPath.equals(newPath)) {
            throw PatchRefusal.of(
                    "The file in line %d of the patch is %s on one side and %s on the other: a diff"
                            + " renames nothing here, and the prefixes a/ and b/ stand on all names or"
                            + " on none.",
                    section.line, section.oldName.orElse(""), section.newName.orElse(""));
        }
        String path = Paths.require(newPath.or(() -> oldPath).orElse(""), section.line);
        requireGitLineAgrees(section, path);
        return path;
    }

    private static Optional<String> bare(Optional<String> name, boolean hasPrefixes) {
        return name.filter(n -> !isNull(n)).map(n -> hasPrefixes ? n.substring(2) : n);
    }

    private static void requireGitLineAgrees(RawSection section, String path) {
        String line = section.gitLine.orElse("");
        boolean agrees =
                line.isEmpty()
                        || line.startsWith("\"")
                        || line.equals("a/" + path + " b/" + path)
                        || line.equals(path + " " + path);
        if (!agrees) {
            throw PatchRefusal.of(
                    "\"diff --git %s\" and the names of %s below it do not agree.", line, path);
        }
    }

    /** {@code a/X b/X}; X may have blanks, so the two halves are found by their length. */
    private static String ofGitLine(String line, int number) {
        int half = (line.length() - 1) / 2;
        if (line.length() > 4 && line.length() % 2 == 1 && line.charAt(half) == ' ') {
            String first = plain(line.substring(0, half), number);
            String second = plain(line.substring(half + 1), number);
            boolean hasPrefixes = starts(first, 'a') && starts(second, 'b');
            if (hasPrefixes && first.substring(2).equals(second.substring(2))) {
                return first.substring(2);
            }
            if (first.equals(second)) {
                return first;
            }
        }
        throw PatchRefusal.of("Line %d of the patch does not name one file: %s.", number, line);
    }

    private static String plain(String name, int line) {
        return name.startsWith("\"") ? Paths.ofHeader(name, line) : name;
    }

    private static Section section(RawSection raw, String path) {
        boolean isCreation = raw.isNew || raw.oldName.filter(PathAgreement::isNull).isPresent();
        boolean isDeletion = raw.isDeleted || raw.newName.filter(PathAgreement::isNull).isPresent();
        if (isCreation && isDeletion) {
            throw PatchRefusal.of("%s is both created and deleted by the patch.", path);
        }
        if (isCreation) {
            OptionalInt mode =
                    raw.newMode.equals(OptionalInt.of(0755)) ? raw.newMode : OptionalInt.empty();
            return new Section.Create(path, onlySide(raw, path, /* isNewSide= */ true), mode);
        }
        if (isDeletion) {
            return new Section.Delete(
                    path, Optional.of(onlySide(raw, path, /* isNewSide= */ false)));
        }
        if (raw.oldMode.isPresent() != raw.newMode.isPresent()) {
            throw PatchRefusal.of("The patch says only one of the modes of %s.", path);
        }
        return new Section.Update(path, Optional.empty(), raw.hunks, raw.oldMode, raw.newMode);
    }

    /**
     * The whole content of a created or deleted file: one hunk, all of one side, none, if empty.
     */
    private static Bytes onlySide(RawSection raw, String path, boolean isNewSide) {
        if (raw.hunks.size() > 1) {
            throw PatchRefusal.of("%s is created or deleted in more than one hunk.", path);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Hunk hunk : raw.hunks) {
            for (HunkLine line : hunk.lines()) {
                if (isNewSide ? line.isOld() : line.isNew()) {
                    throw PatchRefusal.of(
                            "%s is created or deleted, but its %s has lines of both sides.",
                            path, hunk.label());
                }
                out.writeBytes(line.text().toArray());
                if (!line.isUnterminated()) {
                    out.write('\n');
                }
            }
        }
        return Bytes.wrap(out.toByteArray());
    }
}
