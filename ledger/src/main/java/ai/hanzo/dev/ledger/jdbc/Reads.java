package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.protocol.id.OrgId;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Micronaut Data's repositories over our pool. Micronaut is used for this alone: no beans of ours
 * but the repositories, no configuration files, no environment.
 */
final class Reads implements AutoCloseable {
    private final ApplicationContext context;
    private final TransactionOperations<Connection> transactions;

    private final String place;

    @SuppressWarnings("unchecked")
    Reads(DataSource pool, String place) {
        this.place = place;
        context =
                ApplicationContext.builder()
                        .deduceEnvironment(false)
                        .environmentPropertySource(false)
                        .banner(false)
                        .properties(Map.of("datasources.default.dialect", "POSTGRES"))
                        .build();
        context.registerSingleton(DataSource.class, pool, Qualifiers.byName("default"));
        context.start();
        transactions = context.getBean(TransactionOperations.class);
    }

    /** The repository of that type, for use within {@link #inOrg}. */
    <R> R repository(Class<R> type) {
        return context.getBean(type);
    }

    /** Reads with the rows of {@code org} in sight. */
    <T> T inOrg(OrgId org, Supplier<T> read) {
        try {
            return transactions.execute(
                    TransactionDefinition.READ_ONLY,
                    status -> {
                        Database.see(status.getConnection(), org);
                        return read.get();
                    });
        } catch (RuntimeException e) {
            throw fault(e);
        }
    }

    /** Micronaut wraps what the driver says in exceptions of several families of its own. */
    private RuntimeException fault(RuntimeException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return SqlFaults.of(sql, place);
            }
        }
        return e;
    }

    @Override
    public void close() {
        context.close();
    }
}
