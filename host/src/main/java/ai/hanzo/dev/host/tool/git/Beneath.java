package ai.hanzo.dev.host.tool.git;

/** Whether a path stays in the workspace, by its letters alone; links are the cell's business. */
final class Beneath {

    private Beneath() {}

    /** A relative path that climbs above where it begins. */
    static boolean leadsOut(String path) {
        int depth = 0;
        for (String part : path.split("/", -1)) {
            switch (part) {
                case "", "." -> {}
                case ".." -> depth--;
                default -> depth++;
            }
            if (depth < 0) {
                return true;
            }
        }
        return false;
    }
}
