/**
 * The ledger as its callers see it: the journal of each session, its actions, leases, approvals and
 * timers. Interfaces and records only; SQL lives in {@code ai.hanzo.dev.ledger.jdbc}. Begin at
 * {@link ai.hanzo.dev.ledger.Ledger}.
 */
@NullMarked
package ai.hanzo.dev.ledger;

import org.jspecify.annotations.NullMarked;
