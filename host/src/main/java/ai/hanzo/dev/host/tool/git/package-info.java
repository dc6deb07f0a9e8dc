/**
 * What a git command amounts to, told from its arguments, and the environment that git gets in a
 * cell. Pure. Called by dispatch before policy is asked; begin at {@link
 * ai.hanzo.dev.host.tool.git.GitCommand}.
 */
@NullMarked
package ai.hanzo.dev.host.tool.git;

import org.jspecify.annotations.NullMarked;
