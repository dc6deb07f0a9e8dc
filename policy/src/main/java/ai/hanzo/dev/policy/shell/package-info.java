/**
 * Finds every command that a shell line could run, without running or expanding anything. What it
 * cannot understand becomes a command that could be any command. Used by policy only; begin at
 * {@code CommandLine}.
 */
@NullMarked
package ai.hanzo.dev.policy.shell;

import org.jspecify.annotations.NullMarked;
