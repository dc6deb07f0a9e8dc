package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.ArchiveRow;
import ai.hanzo.dev.ledger.Archives;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLException;

/** Whole sessions, each in one transaction. Safe for all threads. */
final class JdbcArchives implements Archives {
    /** Integrity constraint violation and data exception: the first two characters of the state. */
    private static final String VIOLATION = "23";

    /** Insufficient_privilege: a row that breaks a rule, among other things. */
    private static final String NOT_ALLOWED = "42501";

    /** A policy of V13, which the server names in its message only, in whatever language. */
    private static final Pattern RULE = Pattern.compile("\\b\\w+_(?:rules|decided)\\b");

    private static final String BAD_DATA = "22";
    private static final String SESSIONS_KEY = "sessions_pkey";

    private final Database database;
    private final Ticks ticks;

    JdbcArchives(Database database, Ticks ticks) {
        this.database = database;
        this.ticks = ticks;
    }

    @Override
    public boolean read(
            OrgId org, SessionId session, Consumer<Head> head, Consumer<ArchiveRow> rows) {
        return database.run(db -> {
            oneMoment(db);
            Database.see(db, org);
            return new ArchiveReading(db, org, session).read(head, rows);
        });
    }

    /** For this transaction; it has to be its first statement. */
    private static void oneMoment(Connection db) throws SQLException {
        try (Statement begin = db.createStatement()) {
            begin.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
        }
    }

    @Override
    public Taken take(Arrival arrival, Iterator<ArchiveRow> rows) {
        OrgId org = arrival.head().session().org();
        try {
            return database.attemptInOrg(
                    org, db -> new ArchiveWriting(db, arrival, ticks).write(rows));
        } catch (ArchiveWriting.NotAsWritten e) {
            return e.broken();
        } catch (SQLException e) {
            return refused(arrival, e);
        }
    }

    private Taken refused(Arrival arrival, SQLException e) {
        String state = String.valueOf(e.getSQLState());
        Optional<String> rule = brokenRule(e);
        if (!state.startsWith(VIOLATION) && !state.startsWith(BAD_DATA) && rule.isEmpty()) {
            throw database.fault(e);
        }
        if (constraint(e).filter(SESSIONS_KEY::equals).isPresent()) {
            return new Taken.AlreadyHere();
        }
        return new Taken.Broken(
                arrival.head().session().lastSeq(),
                "Its rows do not fit together ("
                        + constraint(e)
                                .map(name -> "constraint " + name)
                                .or(() -> rule.map(name -> "rule " + name))
                                .orElse("state " + state)
                        + ").");
    }

    /** The rule that a row does not keep to. */
    private static Optional<String> brokenRule(SQLException e) {
        return NOT_ALLOWED.equals(e.getSQLState())
                ? RULE.matcher(String.valueOf(e.getMessage()))
                        .results()
                        .map(MatchResult::group)
                        .findFirst()
                : Optional.empty();
    }

    private static Optional<String> constraint(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof PSQLException sql && sql.getServerErrorMessage() != null) {
                return Optional.ofNullable(sql.getServerErrorMessage().getConstraint());
            }
        }
        return Optional.empty();
    }
}
