package ai.hanzo.dev.sandbox;

import java.util.List;

/** The files that an effect changed, as they are on disk after it. */
public record FileOutcome(List<ChangedFile> files) implements CellOutcome {
    public FileOutcome {
        files = List.copyOf(files);
    }

    /**
     * One changed path.
     *
     * @param sizeBytes 0 when it is gone
     * @param mode the permission bits really on disk; 0 when it is gone
     */
    public record ChangedFile(String path, long sizeBytes, int mode) {}
}
