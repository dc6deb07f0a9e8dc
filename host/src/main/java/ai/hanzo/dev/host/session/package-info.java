/**
 * Sessions: one loop each, on one virtual thread, from its journal to the core and back. May be
 * called by {@code host.op} and the surfaces; begin at {@link ai.hanzo.dev.host.session.TurnLoop},
 * the one place that calls core, policy, ledger and dispatch.
 */
@NullMarked
package ai.hanzo.dev.host.session;

import org.jspecify.annotations.NullMarked;
