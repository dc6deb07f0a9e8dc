package ai.hanzo.dev.host;

import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What a host is started with.
 *
 * @param home what belongs to this host alone; absolute
 * @param state what it shares with the hosts beside it; absolute, the same as {@code home} if it is
 *     the only one
 * @param database the ledger's; empty for the embedded PostgreSQL
 * @param environment of the process: the provider variables are taken out of it
 * @param sessionIdleAfter an idle session is put away after this long
 * @param keepEnded sessions that are over are removed after this long; empty for never
 */
public record HostConfig(
        Path home,
        Path state,
        Optional<DatabaseConfig> database,
        Map<String, String> environment,
        Duration sessionIdleAfter,
        Optional<Duration> keepEnded) {
    /** How many days sessions that are over are kept. */
    static final String KEEP_ENDED = "HANZO_KEEP_ENDED_DAYS";

    /** The database's own URL, where --db names a proxy that pools transactions. */
    static final String DIRECT = "HANZO_DB_DIRECT";

    /** How long after its last heartbeat a host's sessions are another's. */
    static final String LEASE = "HANZO_LEASE_SECONDS";

    private static final Duration SESSION_IDLE = Duration.ofMinutes(10);

    public HostConfig {
        environment = Map.copyOf(environment);
        if (!home.isAbsolute()) {
            throw new IllegalArgumentException("the state directory is absolute: " + home);
        }
    }

    /** With the embedded PostgreSQL and the usual times. */
    public static HostConfig of(Path home, Map<String, String> environment) {
        return of(home, home, environment);
    }

    /** The same for a host that works beside others. */
    public static HostConfig of(Path home, Path state, Map<String, String> environment) {
        return new HostConfig(
                home, state, Optional.empty(), environment, SESSION_IDLE, keepEnded(environment));
    }

    private static Optional<Duration> keepEnded(Map<String, String> environment) {
        String days = environment.getOrDefault(KEEP_ENDED, "").strip();
        if (days.isEmpty()) {
            return Optional.empty();
        }
        if (!days.matches("[0-9]{1,5}")) {
            throw HostException.setting(KEEP_ENDED, days, "a number of days, or unset for ever");
        }
        return Optional.of(Duration.ofDays(Integer.parseInt(days)));
    }

    /**
     * How long after this host's last heartbeat its sessions are another's; empty for the usual
     * time.
     */
    Optional<Duration> leaseTtl() {
        String seconds = environment.getOrDefault(LEASE, "").strip();
        if (seconds.isEmpty()) {
            return Optional.empty();
        }
        if (!seconds.matches("[1-9][0-9]{0,3}")) {
            throw HostException.setting(LEASE, seconds, "a number of seconds, 1 to 9999");
        }
        return Optional.of(Duration.ofSeconds(Integer.parseInt(seconds)));
    }

    /** With a given database. */
    public HostConfig withDatabase(DatabaseConfig given) {
        return new HostConfig(
                home, state, Optional.of(given), environment, sessionIdleAfter, keepEnded);
    }

    /** With a database that somebody else runs; see {@link #database(String, Map)}. */
    public HostConfig withDatabase(String url) {
        return withDatabase(database(url, environment));
    }

    /**
     * A database that somebody else runs.
     *
     * @param url {@code postgresql://…} or {@code jdbc:postgresql://…}
     * @param environment where user and password are: PGUSER, PGPASSWORD; and, if {@code url} is of
     *     a proxy that pools transactions, the way past it: HANZO_DB_DIRECT
     */
    static DatabaseConfig database(String url, Map<String, String> environment) {
        String user = environment.getOrDefault("PGUSER", System.getProperty("user.name"));
        String password = environment.getOrDefault("PGPASSWORD", "");
        String direct = environment.getOrDefault(DIRECT, "").strip();
        var login = new DatabaseConfig.Login(user, password);
        return direct.isEmpty()
                ? DatabaseConfig.of(url, login, Optional.empty())
                : DatabaseConfig.of(direct, login, Optional.empty()).through(url);
    }
}
