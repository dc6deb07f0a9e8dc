package ai.hanzo.dev.sandbox;

/**
 * What a cell may use; 0 leaves the launcher's default.
 *
 * @param memoryBytes of all its processes
 * @param processes alive at once
 * @param fileBytes size of one file
 * @param openFiles of one process
 * @param diskBytes written to its private places
 * @param cpuMillis of one second, for all its processes: 1000 is one core
 */
public record CellLimits(
        long memoryBytes,
        int processes,
        long fileBytes,
        int openFiles,
        long diskBytes,
        int cpuMillis) {

    public static final CellLimits DEFAULT = new CellLimits(0, 0, 0, 0, 0, 0);

    public CellLimits {
        if (memoryBytes < 0
                || processes < 0
                || fileBytes < 0
                || openFiles < 0
                || diskBytes < 0
                || cpuMillis < 0) {
            throw new IllegalArgumentException("a limit is negative");
        }
    }
}
