package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.LedgerException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Where the database is and how to log in.
 *
 * @param url a JDBC URL of PostgreSQL, without passwords
 * @param app the application's login: owns nothing, so row-level security binds it
 * @param owner the login that owns the tables and migrates them; the same as {@code app} where only
 *     one is given, and then row-level security does not bind
 * @param maxConnections of the pool, 2 or more
 * @param leaseTtl how long a silent host keeps its leases
 * @param direct the same database without what pools transactions in between; for what lives longer
 *     than a transaction: LISTEN, migrations, backups. The same as {@code url} where nothing pools
 */
public record DatabaseConfig(
        String url, Login app, Login owner, int maxConnections, Duration leaseTtl, String direct) {
    /** A laptop's two cores keep fewer than this busy; a commit waits for the disk, not for us. */
    public static final int DEFAULT_CONNECTIONS = 12;

    /** Three missed heartbeats, see {@link ai.hanzo.dev.ledger.Leases}. */
    public static final Duration DEFAULT_LEASE_TTL = Duration.ofSeconds(10);

    /** The socket's file name that PostgreSQL derives from its port. */
    private static final String SOCKET_NAME = ".s.PGSQL.5432";

    private static final String SOCKET_ARGUMENT = "&socketFactoryArg=";

    /** Throws {@link IllegalArgumentException} for a pool or a time that cannot work. */
    public DatabaseConfig {
        if (maxConnections < 2) {
            throw new IllegalArgumentException(maxConnections + " connections are too few");
        }
        if (leaseTtl.toMillis() < 100) {
            throw new IllegalArgumentException("a lease of " + leaseTtl + " is too short");
        }
    }

    /** A user and a password; the password may be empty. */
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return user;
        }
    }

    /** A PostgreSQL that listens on the unix socket in {@code socketDir}. */
    public static DatabaseConfig unix(Path socketDir, String database, Login app, Login owner) {
        String url =
                "jdbc:postgresql://localhost/"
                        + database
                        + "?sslMode=disable&gssEncMode=disable&socketFactory="
                        + UnixSocketFactory.class.getName()
                        + SOCKET_ARGUMENT
                        + URLEncoder.encode(
                                socketDir.resolve(SOCKET_NAME).toString(), StandardCharsets.UTF_8);
        return new DatabaseConfig(url, app, owner, DEFAULT_CONNECTIONS, DEFAULT_LEASE_TTL, url);
    }

    /** What {@code --db} was given: {@code postgresql://…} or {@code jdbc:postgresql://…}. */
    public static DatabaseConfig of(String url, Login app, Optional<Login> owner) {
        String jdbc = jdbc(url, "--db");
        return new DatabaseConfig(
                jdbc, app, owner.orElse(app), DEFAULT_CONNECTIONS, DEFAULT_LEASE_TTL, jdbc);
    }

    private static String jdbc(String url, String setting) {
        String jdbc = url.startsWith("jdbc:") ? url : "jdbc:" + url;
        if (!jdbc.startsWith("jdbc:postgresql:")) {
            throw LedgerException.cannotStart(
                    setting + " takes postgresql://HOST/DATABASE, not '" + url + "'.", null);
        }
        return jdbc;
    }

    /**
     * The same through a proxy that pools transactions, such as pgbouncer: this one's url is the
     * direct way.
     *
     * @param url of the proxy
     */
    public DatabaseConfig through(String url) {
        return new DatabaseConfig(jdbc(url, "--db"), app, owner, maxConnections, leaseTtl, direct);
    }

    /** Whether transactions are pooled in between: then a statement is prepared for one only. */
    boolean isPooled() {
        return !url.equals(direct);
    }

    /** The same with a pool of another size. */
    public DatabaseConfig withMaxConnections(int count) {
        return new DatabaseConfig(url, app, owner, count, leaseTtl, direct);
    }

    /** The same with another time to live of leases. */
    public DatabaseConfig withLeaseTtl(Duration ttl) {
        return new DatabaseConfig(url, app, owner, maxConnections, ttl, direct);
    }

    /** The URL without its parameters, for people. */
    String place() {
        int socket = url.indexOf(SOCKET_ARGUMENT);
        if (socket >= 0) {
            String path = url.substring(socket + SOCKET_ARGUMENT.length());
            return URLDecoder.decode(path, StandardCharsets.UTF_8);
        }
        int query = url.indexOf('?');
        return (query < 0 ? url : url.substring(0, query)).substring("jdbc:".length());
    }
}
