package ai.hanzo.dev.sandbox;

/**
 * What a cell may use; 0 leaves the launcher's default, given here.
 *
 * @param memoryBytes 4 GiB; data of one process, and of all together where there are cgroups
 * @param fileBytes 4 GiB; size of one file
 * @param diskBytes 1 GiB; each of /tmp, /dev/shm and a cache's writes
 * @param cpuSeconds no limit; CPU time of one process
 * @param processes 1,024 alive at once
 * @param openFiles 4,096 of one process
 */
public record CellLimits(
        long memoryBytes,
        long fileBytes,
        long diskBytes,
        long cpuSeconds,
        int processes,
        int openFiles) {

    public static final CellLimits DEFAULT = new CellLimits(0, 0, 0, 0, 0, 0);

    public CellLimits {
        if (memoryBytes < 0
                || fileBytes < 0
                || diskBytes < 0
                || cpuSeconds < 0
                || processes < 0
                || openFiles < 0) {
            throw new IllegalArgumentException("a limit is negative");
        }
    }
}
