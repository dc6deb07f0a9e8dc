/**
 * The words of the system: ids, events, actions, outcomes and decisions. Begin at {@code Event}.
 */
@NullMarked
package ai.hanzo.dev.protocol;

import org.jspecify.annotations.NullMarked;
