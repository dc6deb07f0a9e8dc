/**
 * Carries out what was decided and recorded: commands and files in the session's cell, web requests
 * from the host. Nothing here decides, and nothing here writes the ledger. Called by {@code
 * host.session}; begin at {@link ai.hanzo.dev.host.dispatch.CellEffects}.
 */
@NullMarked
package ai.hanzo.dev.host.dispatch;

import org.jspecify.annotations.NullMarked;
