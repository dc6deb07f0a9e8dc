package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.LedgerException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;

/** Brings the tables to this release's shape. */
final class Schema {
    private Schema() {}

    /** Migrates as the owner; several hosts at once wait for each other. */
    static void migrate(DatabaseConfig config) {
        try {
            flyway(config).migrate();
        } catch (FlywayException e) {
            throw fault(config, e);
        }
    }

    private static Flyway flyway(DatabaseConfig config) {
        return Flyway.configure(Schema.class.getClassLoader())
                .dataSource(config.direct(), config.owner().user(), config.owner().password())
                .locations("classpath:db/migration")
                .placeholders(Map.of("appRole", config.app().user()))
                .validateMigrationNaming(true)
                // Not even of a later release: what it made of the tables is not known here.
                .ignoreMigrationPatterns(new String[0])
                .load();
    }

    /** The number of the newest migration; throws unless the tables have this release's shape. */
    static int requireCurrent(DatabaseConfig config) {
        try {
            MigrationInfoService info = flyway(config).info();
            if (info.current() == null || info.pending().length > 0) {
                throw LedgerException.wrongVersion(
                        "The tables at "
                                + config.place()
                                + " are not of this release of hanzo yet: start a host once, which"
                                + " brings them there.");
            }
            return Arrays.stream(info.applied())
                    .map(MigrationInfo::getVersion)
                    .filter(Objects::nonNull)
                    .mapToInt(version -> Integer.parseInt(version.getVersion()))
                    .max()
                    .orElseThrow();
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
