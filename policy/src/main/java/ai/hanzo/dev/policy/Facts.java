package ai.hanzo.dev.policy;

import java.util.List;
import java.util.Optional;

/**
 * What the host found out about an action and its session before it asks policy.
 *
 * @param hasHandler whether this host can carry the operation out at all
 * @param workspace the absolute path of the workspace as commands see it
 * @param isReadOnly whether the cell has the workspace mounted read-only
 * @param git what a git action does
 * @param patchPaths the files that a patch touches; empty if they are not known
 * @param grants approvals that were given for the rest of the session
 */
public record Facts(
        boolean hasHandler,
        String workspace,
        boolean isReadOnly,
        GitUse git,
        Optional<List<String>> patchPaths,
        List<Grant> grants) {

    public Facts {
        if (!workspace.startsWith("/")) {
            throw new IllegalArgumentException("the workspace is an absolute path: " + workspace);
        }
        patchPaths = patchPaths.map(List::copyOf);
        grants = List.copyOf(grants);
    }

    /** The common case: a handler, a writable workspace, nothing granted, no git, no patch. */
    public static Facts of(String workspace) {
        return new Facts(true, workspace, false, new GitUse.None(), Optional.empty(), List.of());
    }

    /** The same with the workspace read-only. */
    public Facts readOnly() {
        return new Facts(hasHandler, workspace, true, git, patchPaths, grants);
    }

    /** The same without a handler. */
    public Facts withoutHandler() {
        return new Facts(false, workspace, isReadOnly, git, patchPaths, grants);
    }

    /** The same with this git verdict. */
    public Facts withGit(GitUse use) {
        return new Facts(hasHandler, workspace, isReadOnly, use, patchPaths, grants);
    }

    /** The same with the files that the patch touches. */
    public Facts withPatchPaths(List<String> paths) {
        return new Facts(hasHandler, workspace, isReadOnly, git, Optional.of(paths), grants);
    }

    /** The same with these grants. */
    public Facts withGrants(List<Grant> given) {
        return new Facts(hasHandler, workspace, isReadOnly, git, patchPaths, given);
    }
}
