package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.LedgerException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * What an SQLState means for a caller: PostgreSQL 17, appendix A "PostgreSQL Error Codes". Pure
 * functions.
 */
final class SqlFaults {
    private SqlFaults() {}

    /**
     * The exception for a statement that failed; nothing of its transaction was kept, unless it
     * took the commit with it.
     */
    static LedgerException of(SQLException fault, String place) {
        String state = state(fault);
        if (fault instanceof Pipeline.UnknownOutcome) {
            return LedgerException.unknownOutcome(fault);
        }
        if (isGone(fault)) {
            return LedgerException.databaseGone(place, fault);
        }
        if (state.startsWith("28")) { // invalid_authorization_specification
            return LedgerException.cannotStart(
                    "The database at "
                            + place
                            + " does not let us in ("
                            + text(fault)
                            + "); set PGUSER and PGPASSWORD.",
                    fault);
        }
        if (state.equals("3D000")) { // invalid_catalog_name
            return LedgerException.cannotStart(
                    "There is no such database at " + place + "; make it with createdb.", fault);
        }
        return switch (state) {
            case "53100" -> LedgerException.storageFull(fault); // disk_full
            case "40001", "40P01", "55P03", "57014" -> LedgerException.conflict(fault);
            case "25006" -> LedgerException.databaseGone(place, fault); // read_only: a standby
            case "XX001", "XX002" -> LedgerException.corrupt("The database says: " + text(fault));
            default ->
                    isDiskFull(fault)
                            ? LedgerException.storageFull(fault)
                            : LedgerException.refused(fault);
        };
    }

    /** The exception for a commit that failed: a broken connection leaves its outcome open. */
    static LedgerException ofCommit(SQLException fault, String place) {
        return isGone(fault) ? LedgerException.unknownOutcome(fault) : of(fault, place);
    }

    /** The constraint that a unique violation names. */
    static Optional<String> uniqueViolation(SQLException fault) {
        if (!state(fault).equals("23505") || !(fault instanceof PSQLException postgres)) {
            return Optional.empty();
        }
        return Optional.ofNullable(postgres.getServerErrorMessage())
                .map(ServerErrorMessage::getConstraint);
    }

    /** Whether the connection broke, or the server does not take any. */
    static boolean isGone(SQLException fault) {
        String state = state(fault);
        return fault instanceof SQLTransientConnectionException
                || state.startsWith("08") // connection_exception
                || state.startsWith("57P") // admin_shutdown, crash_shutdown, cannot_connect_now
                || state.equals("53300") // too_many_connections
                // HikariCP's, with no state, for whoever comes to a connection that it gave up.
                || text(fault).equals("Connection is closed");
    }

    /** PostgreSQL reports a full disk under other states too, such as while it extends a file. */
    private static boolean isDiskFull(SQLException fault) {
        return text(fault).contains("No space left on device");
    }

    private static String state(SQLException fault) {
        @Nullable String state = fault.getSQLState();
        return state == null ? "" : state;
    }

    private static String text(SQLException fault) {
        @Nullable String text = fault.getMessage();
        return text == null ? "" : text;
    }
}
