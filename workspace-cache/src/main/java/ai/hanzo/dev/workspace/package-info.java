/**
 * The directory that an agent works on: which directories may be one, checkpoints of it, what
 * changed between two checkpoints, and undo. Called by the host only; no other module is seen from
 * here.
 *
 * <p>The tree is hostile: a command in a cell may rename, link and swap while it is read. So
 * nothing here follows a symbolic link, every name is bytes, and every access is relative to the
 * descriptor of a directory that was opened without following links. Begin at {@code Workspaces},
 * then {@code Checkpoints}.
 */
@NullMarked
package ai.hanzo.dev.workspace;

import org.jspecify.annotations.NullMarked;
