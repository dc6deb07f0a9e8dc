/**
 * Every id is a type of its own, so that no two can be swapped. Callable from everywhere; begin at
 * {@link ai.hanzo.dev.protocol.id.SessionId}.
 */
@NullMarked
package ai.hanzo.dev.protocol.id;

import org.jspecify.annotations.NullMarked;
