/**
 * The command line: a thin client of the HTTP surface, which starts a local host when there is
 * none. Begin at {@link ai.hanzo.dev.host.surface.cli.Cli}; what a turn looks like to a person is
 * in {@link ai.hanzo.dev.host.surface.cli.Conversation}.
 */
@NullMarked
package ai.hanzo.dev.host.surface.cli;

import org.jspecify.annotations.NullMarked;
