/**
 * A PostgreSQL of our own: unpacked, initialised, started and stopped here, and left running for
 * the next host. No SQL. Begin at {@link ai.hanzo.dev.ledger.pg.EmbeddedPostgres}.
 */
@NullMarked
package ai.hanzo.dev.ledger.pg;

import org.jspecify.annotations.NullMarked;
