/**
 * The host's side of the sandbox: cells, leased to sessions through the supervisor, and what can be
 * asked of them. Begin at {@link ai.hanzo.dev.sandbox.Cells}, then {@link
 * ai.hanzo.dev.sandbox.Cell}. The packet channel is in {@code .netty} and nobody else's business.
 */
@NullMarked
package ai.hanzo.dev.sandbox;

import org.jspecify.annotations.NullMarked;
