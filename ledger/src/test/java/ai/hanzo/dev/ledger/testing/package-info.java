/** One real PostgreSQL for the integration tests of a module. Begin at {@code TestPostgres}. */
@NullMarked
package ai.hanzo.dev.ledger.testing;

import org.jspecify.annotations.NullMarked;
