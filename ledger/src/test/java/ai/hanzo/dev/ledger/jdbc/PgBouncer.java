package ai.hanzo.dev.ledger.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A pgbouncer in transaction mode before a database, with fewer connections than a store has. */
final class PgBouncer implements AutoCloseable {
    private static final String SOCKET_ARGUMENT = "socketFactoryArg=";

    private final Process process;
    private final int port;

    private PgBouncer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Where Debian puts it, or on the path. */
    static Optional<Path> program() {
        return Stream.concat(
                        Stream.of(System.getenv("PATH").split(":", -1)), Stream.of("/usr/sbin"))
                .map(directory -> Path.of(directory).resolve("pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts one with its files in {@code directory}.
     *
     * @param connections to the server
     */
    static PgBouncer start(DatabaseConfig config, Path directory, int connections) {
        try {
            Path socket =
                    Path.of(
                            URLDecoder.decode(
                                    config.url()
                                            .substring(
                                                    config.url().indexOf(SOCKET_ARGUMENT)
                                                            + SOCKET_ARGUMENT.length()),
                                    StandardCharsets.UTF_8));
            int port = freePort();
            Path users = directory.resolve("users");
            Files.writeString(
                    users,
                    "\"%s\" \"%s\"\n".formatted(config.app().user(), config.app().password()));
            Path settings = directory.resolve("pgbouncer.ini");
            Files.writeString(
                    settings,
                    """
                    [databases]
                    * = host=%s port=5432
                    [pgbouncer]
                    listen_addr = 127.0.0.1
                    listen_port = %d
                    unix_socket_dir =
                    auth_type = scram-sha-256
                    auth_file = %s
                    pool_mode = transaction
                    default_pool_size = %d
                    ignore_startup_parameters = extra_float_digits
                    """
                            .formatted(socket.getParent(), port, users, connections));
            List<String> command = new ArrayList<>();
            if (Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
                // It refuses root, as PostgreSQL does.
                command.addAll(List.of("unshare", "-U"));
            }
            command.addAll(List.of(program().orElseThrow().toString(), settings.toString()));
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(directory.resolve("log").toFile())
                            .start();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> listens(port));
            return new PgBouncer(process, port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static boolean listens(int port) {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The same database through it. */
    DatabaseConfig before(DatabaseConfig config) {
        String name = config.url().replaceAll("^jdbc:postgresql://localhost/([a-z0-9_]+).*", "$1");
        return config.through(
                "jdbc:postgresql://127.0.0.1:" + port + "/" + name + "?sslMode=disable");
    }

    @Override
    public void close() {
        process.destroy();
    }
}
