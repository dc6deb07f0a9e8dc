/**
 * Whether an action may be carried out: a pure function of the rules, the action and facts that the
 * host worked out. No I/O, no clock, no state. Called by the host; begin at {@code Policy}.
 */
@NullMarked
package ai.hanzo.dev.policy;

import org.jspecify.annotations.NullMarked;
