package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.sandbox.Expected;
import ai.hanzo.dev.sandbox.FileChange;
import ai.hanzo.dev.sandbox.WholeFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/**
 * A patch that can be read: a unified diff, or a {@code *** Begin Patch} text.
 *
 * <p>It is used in three steps: {@link #parse}, then the caller reads {@link #paths()} through the
 * cell, then {@link #compute} gives the changes for the cell's {@code apply}, which name what they
 * expect to replace. Either all of a patch fits exactly, or it is refused with a sentence that says
 * where it does not.
 *
 * <p>Immutable and pure. Memory and time grow with patch and files; a caller bounds both.
 */
public final class Patch {

    /** More files than one {@code apply} takes; {@code wasm/dev.zap}, CellApply. */
    private static final int MAX_CHANGES = 1024;

    private final List<Section> sections;

    private Patch(List<Section> sections) {
        this.sections = List.copyOf(sections);
    }

    /** What reading a patch came to. */
    public sealed interface Parsed {}

    /** It can be read. */
    public record Read(Patch patch) implements Parsed {}

    /** What computing the changes came to. */
    public sealed interface Computed {}

    /** The changes, for {@code Cell.apply}: at least one, no path twice. */
    public record Changes(List<FileChange> changes) implements Computed {
        public Changes {
            changes = List.copyOf(changes);
        }
    }

    /**
     * It cannot be done, and nothing is.
     *
     * @param message one or two sentences for the model
     */
    public record Refused(String message) implements Parsed, Computed {}

    /** Reads a patch; what comes before, between or after its parts is refused, too. */
    public static Parsed parse(Bytes patch) {
        try {
            PatchText text = PatchText.of(patch);
            text.skipEmptyLines();
            if (text.isAtEnd()) {
                return new Refused("The patch is empty.");
            }
            List<Section> sections =
                    text.startsWith(EnvelopeParser.BEGIN)
                            ? EnvelopeParser.parse(text)
                            : UnifiedParser.parse(text);
            requireDistinct(sections);
            return new Read(new Patch(sections));
        } catch (PatchRefusal refusal) {
            return new Refused(refusal.sentence());
        }
    }

    /** The files whose content {@link #compute} wants to see, as the patch names them. */
    public List<String> paths() {
        List<String> paths = new ArrayList<>();
        for (Section section : sections) {
            paths.add(section.path());
            targetOf(section).ifPresent(paths::add);
        }
        return paths;
    }

    /**
     * Computes the changes.
     *
     * @param files what is at a path of {@link #paths()} now; empty where nothing is
     */
    public Computed compute(Function<String, Optional<WholeFile>> files) {
        try {
            List<FileChange> changes = new ArrayList<>();
            for (Section section : sections) {
                changes.addAll(changesOf(section, files));
            }
            return new Changes(changes);
        } catch (PatchRefusal refusal) {
            return new Refused(refusal.sentence());
        }
    }

    private static void requireDistinct(List<Section> sections) {
        if (sections.isEmpty()) {
            throw PatchRefusal.of("The patch changes nothing.");
        }
        Set<String> seen = new HashSet<>();
        for (Section section : sections) {
            List<String> names = new ArrayList<>(List.of(section.path()));
            targetOf(section).ifPresent(names::add);
            for (String name : names) {
                if (!seen.add(Paths.clean(name))) {
                    throw PatchRefusal.of(
                            "The patch names %s more than once: put its changes into one section.",
                            name);
                }
            }
        }
        if (seen.size() > MAX_CHANGES) {
            throw PatchRefusal.of(
                    "The patch changes %d files, at most %d can be changed at once.",
                    seen.size(), MAX_CHANGES);
        }
    }

    private static Optional<String> targetOf(Section section) {
        return switch (section) {
            case Section.Update update -> update.target();
            case Section.Create _, Section.Delete _ -> Optional.empty();
        };
    }

    private static List<FileChange> changesOf(
            Section section, Function<String, Optional<WholeFile>> files) {
        return switch (section) {
            case Section.Create create -> List.of(create(create, files));
            case Section.Delete delete -> List.of(delete(delete, files));
            case Section.Update update -> update(update, files);
        };
    }

    private static FileChange create(
            Section.Create create, Function<String, Optional<WholeFile>> files) {
        if (files.apply(create.path()).isPresent()) {
            throw PatchRefusal.of(
                    "The patch creates %s, which exists: update or delete it instead.",
                    create.path());
        }
        return new FileChange.Write(
                create.path(), create.content(), create.mode(), Expected.nothing());
    }

    private static FileChange delete(
            Section.Delete delete, Function<String, Optional<WholeFile>> files) {
        WholeFile file = existing(delete.path(), files);
        if (delete.content().isPresent() && !delete.content().get().equals(file.content())) {
            throw PatchRefusal.of(
                    "The patch deletes %s, but the file is not what the patch says it is: read it"
                            + " again.",
                    delete.path());
        }
        return new FileChange.Remove(delete.path(), Expected.content(file.sha256()));
    }

    private static List<FileChange> update(
            Section.Update update, Function<String, Optional<WholeFile>> files) {
        WholeFile file = existing(update.path(), files);
        Expected expected = Expected.content(file.sha256());
        requireMode(update, file);
        Bytes content = patched(update, file);
        if (update.target().isEmpty()) {
            return List.of(
                    new FileChange.Write(update.path(), content, newMode(update, file), expected));
        }
        String target = update.target().get();
        if (files.apply(target).isPresent()) {
            throw PatchRefusal.of("The patch moves %s to %s, which exists.", update.path(), target);
        }
        if (content.equals(file.content())) {
            return List.of(new FileChange.Rename(update.path(), target, expected));
        }
        return List.of(
                new FileChange.Write(
                        target, content, OptionalInt.of(file.mode()), Expected.nothing()),
                new FileChange.Remove(update.path(), expected));
    }

    private static Bytes patched(Section.Update update, WholeFile file) {
        try {
            return HunkApplier.apply(file.content(), update.hunks());
        } catch (PatchRefusal refusal) {
            throw PatchRefusal.of("%s: %s", update.path(), refusal.sentence());
        }
    }

    private static WholeFile existing(String path, Function<String, Optional<WholeFile>> files) {
        return files.apply(path)
                .orElseThrow(() ->
                        PatchRefusal.of("%s does not exist, so the patch cannot change it.", path));
    }

    /** git knows of a mode only whether its owner may run the file. */
    private static void requireMode(Section.Update update, WholeFile file) {
        boolean isRunnable = (file.mode() & 0100) != 0;
        if (update.oldMode().isPresent()
                && isRunnable != ((update.oldMode().getAsInt() & 0100) != 0)) {
            throw PatchRefusal.of(
                    "%s has mode %o, not %o as the patch says.",
                    update.path(), file.mode(), update.oldMode().getAsInt());
        }
    }

    /** The file's own mode with the execute bits of the new one; empty keeps it. */
    private static OptionalInt newMode(Section.Update update, WholeFile file) {
        if (update.newMode().isEmpty()) {
            return OptionalInt.empty();
        }
        boolean isRunnable = (update.newMode().getAsInt() & 0100) != 0;
        int readers = file.mode() & 0444;
        return OptionalInt.of(isRunnable ? file.mode() | (readers >> 2) : file.mode() & ~0111);
    }
}
