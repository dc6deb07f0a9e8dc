/**
 * The words of the system: events, actions, outcomes and what they are made of. Values only; may be
 * used from everywhere. Begin at {@link ai.hanzo.dev.protocol.Event} and {@link
 * ai.hanzo.dev.protocol.Op}.
 */
@NullMarked
package ai.hanzo.dev.protocol;

import org.jspecify.annotations.NullMarked;
