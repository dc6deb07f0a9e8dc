package ai.hanzo.dev.workspace;

import java.nio.file.Path;
import java.util.Set;

/** Decides which directories may be workspaces. Immutable; any thread. */
public final class Workspaces {

    private final Path stateDirectory;

    /**
     * @param stateDirectory {@code $HANZO_HOME}: never a workspace, nor anything in it or above it
     */
    public Workspaces(Path stateDirectory) {
        this.stateDirectory = stateDirectory.toAbsolutePath().normalize();
    }

    /**
     * Looks at {@code directory}; symbolic links in it are resolved first.
     *
     * @param overrides directories that the user named as allowed although the rules refuse them.
     *     They never cover the state directory or what holds it
     */
    public Admission admit(Path directory, Set<Path> overrides) {
        return Pending.body("" + directory + " " + overrides + stateDirectory);
    }
}
