package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.LedgerContract;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PostgresLedgerIT extends LedgerContract {
    private final PostgresStore store;

    PostgresLedgerIT(DatabaseConfig config) {
        store = TestPostgres.open(config);
    }

    @Override
    protected Store store() {
        return store;
    }

    @AfterAll
    void close() {
        store.close();
    }
}
