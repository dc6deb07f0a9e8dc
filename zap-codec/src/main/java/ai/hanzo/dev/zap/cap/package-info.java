/**
 * Capabilities: signed statements that a holder may do something to a target. Begin at {@link
 * ai.hanzo.dev.zap.cap.Capability}.
 */
@NullMarked
package ai.hanzo.dev.zap.cap;

import org.jspecify.annotations.NullMarked;
