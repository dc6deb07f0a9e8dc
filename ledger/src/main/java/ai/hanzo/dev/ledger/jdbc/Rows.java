package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Our types in and out of JDBC's. Pure functions over statements and result sets. */
final class Rows {
    /** The columns that {@link #entry} reads. */
    static final String ENTRY =
            "org_id, session_id, seq, kind, turn, action_id, format_version, payload, created_at,"
                    + " source, idempotency_key, prev_digest, digest";

    private Rows() {}

    /** Reads one row. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    static Entry entry(ResultSet row) throws SQLException {
        return new Entry(
                new OrgId(row.getString("org_id")),
                new SessionId(row.getString("session_id")),
                new Seq(row.getLong("seq")),
                new EntryKind(row.getString("kind")),
                turn(row, "turn"),
                optionalLong(row, "action_id").stream().mapToObj(ActionId::new).findFirst(),
                row.getInt("format_version"),
                Bytes.wrap(row.getBytes("payload")),
                time(row, "created_at"),
                row.getString("source"),
                Optional.ofNullable(row.getString("idempotency_key")),
                digest(row, "prev_digest"),
                digest(row, "digest"));
    }

    static Optional<TurnId> turn(ResultSet row, String column) throws SQLException {
        return optionalLong(row, column).stream().mapToObj(TurnId::new).findFirst();
    }

    static OptionalLong optionalLong(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
    }

    static Sha256 digest(ResultSet row, String column) throws SQLException {
        return new Sha256(Bytes.wrap(row.getBytes(column)));
    }

    static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    static <T> List<T> all(PreparedStatement query, Reader<T> reader) throws SQLException {
        try (ResultSet rows = query.executeQuery()) {
            List<T> found = new ArrayList<>();
            while (rows.next()) {
                found.add(reader.read(rows));
            }
            return found;
        }
    }

    static <T> Optional<T> first(PreparedStatement query, Reader<T> reader) throws SQLException {
        try (ResultSet rows = query.executeQuery()) {
            return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
        }
    }

    /** Sets the parameters from the first one on. */
    static void set(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            set(statement, i + 1, values[i]);
        }
    }

    private static void set(PreparedStatement statement, int at, Object value) throws SQLException {
        switch (plain(value)) {
            case null -> statement.setNull(at, Types.NULL);
            case String text -> statement.setString(at, text);
            case Long number -> statement.setLong(at, number);
            case Integer number -> statement.setInt(at, number);
            case Array array -> statement.setArray(at, array);
            case Boolean truth -> statement.setBoolean(at, truth);
            case Instant time -> statement.setObject(at, time.atOffset(ZoneOffset.UTC));
            case byte[] bytes -> statement.setBytes(at, bytes);
            default -> throw new IllegalArgumentException(value.getClass() + " is no column");
        }
    }

    /** A value as its column has it, an empty Optional as null; what is none of ours stays. */
    static @Nullable Object plain(Object value) {
        return switch (value) {
            case Optional<?> optional -> optional.isPresent() ? plain(optional.get()) : null;
            case Bytes bytes -> bytes.toArray();
            case Sha256 digest -> digest.bytes().toArray();
            case OrgId id -> id.value();
            case SessionId id -> id.value();
            case Seq seq -> seq.value();
            case TurnId turn -> turn.value();
            case ActionId action -> action.value();
            case EntryKind kind -> kind.value();
            case Enum<?> word -> word(word);
            default -> value;
        };
    }

    /** The kinds of entry that a session's loop takes in. */
    static Object[] inputKinds() {
        return EntryKind.inputs().stream().map(EntryKind::value).sorted().toArray();
    }

    static Optional<Instant> optionalTime(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
                .map(OffsetDateTime::toInstant);
    }

    /** An enum's constant as the database spells it. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The constant that the database spells {@code word}. */
    static <E extends Enum<E>> E constant(Class<E> type, String word) {
        return Enum.valueOf(type, word.toUpperCase(Locale.ROOT));
    }
}
