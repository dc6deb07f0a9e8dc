/**
 * Patches, over bytes and exact or refused: {@link ai.hanzo.dev.host.tool.patch.Patch} reads a
 * unified diff or a {@code *** Begin Patch} text and computes the file changes it stands for;
 * {@link ai.hanzo.dev.host.tool.patch.UnifiedDiff} writes one. Pure: no I/O, no clock. Called by
 * dispatch and by whatever shows a diff; begin at {@code Patch}.
 */
@NullMarked
package ai.hanzo.dev.host.tool.patch;

import org.jspecify.annotations.NullMarked;
