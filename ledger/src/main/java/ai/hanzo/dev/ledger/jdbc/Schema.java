package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.LedgerException;
import java.sql.SQLException;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Brings the tables to this release's shape. */
final class Schema {
    private Schema() {}

    /** Migrates as the owner; several hosts at once wait for each other. */
    static void migrate(DatabaseConfig config) {
        try {
            Flyway.configure(Schema.class.getClassLoader())
                    .dataSource(config.url(), config.owner().user(), config.owner().password())
                    .locations("classpath:db/migration")
                    .placeholders(Map.of("appRole", config.app().user()))
                    .validateMigrationNaming(true)
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            throw fault(config, e);
        }
    }

    private static LedgerException fault(DatabaseConfig config, FlywayException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return SqlFaults.of(sql, config.place());
            }
        }
        return LedgerException.wrongVersion(
                "The tables at "
                        + config.place()
                        + " were made by another release of hanzo; use that one, or move the data"
                        + " away. ("
                        + e.getMessage()
                        + ")");
    }
}
