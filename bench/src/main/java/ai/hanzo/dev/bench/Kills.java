package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.local.HostFile;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.EmbeddedStore;
import ai.hanzo.dev.ledger.pg.EmbeddedPostgres;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.CellsConfig;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * SIGKILL of a host in the middle of a turn, seen by a client that follows it: how soon the turn
 * goes on when the host is started again at once, and when another host takes it over. One thread.
 */
final class Kills {
    private static final int KILLS = Integer.getInteger("hanzo.bench.kills", 7);
    private static final int TAKEOVERS = Integer.getInteger("hanzo.bench.takeovers", 3);

    /** Of a turn; below the 200 asks that one may have. */
    private static final int COMMANDS = 190;

    /** Seconds, of each. */
    private static final String COMMAND = "0.4";

    private static final String OTHER = "b";
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long LOOK_NANOS = 10_000_000L;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path root;
    private final Path home;
    private final List<HostRun> started = new ArrayList<>();

    /**
     * @param root where a state directory and two workspaces are made
     */
    Kills(Path root) {
        this.root = root;
        this.home = root.resolve("kills");
    }

    /**
     * What was measured, in milliseconds, of each kill.
     *
     * @param recovery from SIGKILL to the next entry at the client, by the host that was started at
     *     once
     * @param start of that host, from its start until it serves
     * @param takeover from SIGKILL to the next entry at a client of the other host
     * @param silence from the last heartbeat to the lease of the other host, by the database's
     *     clock
     */
    record Measured(
            List<Double> recovery,
            List<Double> start,
            List<Double> takeover,
            List<Double> silence) {}

    Measured run() throws Exception {
        var measured =
                new Measured(
                        new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        try {
            takeOver(recover(measured), measured);
        } finally {
            started.forEach(HostRun::close);
            try (Cells cells = Cells.open(CellsConfig.in(home.resolve("cells")))) {
                cells.endAll();
            }
            new EmbeddedPostgres(home.resolve("pg")).stop();
        }
        return measured;
    }

    private HostRun host(String name) throws IOException, InterruptedException {
        HostRun host = new HostRun(home, name);
        started.add(host);
        return host;
    }

    private HostRun recover(Measured measured) throws Exception {
        HostRun host = host("");
        String session = start(host);
        try (Follower client = new Follower(host.home(), session)) {
            for (int i = 0; i < KILLS; i++) {
                long _ = client.next();
                long killed = host.kill();
                host = host("");
                measured.recovery().add((client.nextAfter(killed) - killed) / 1e6);
                measured.start().add(host.startMillis());
            }
        }
        send(host, "DELETE", "/v1/dev/" + session, "");
        return host;
    }

    /** Each in turn is the owner, is killed, and comes back as the other. */
    private void takeOver(HostRun first, Measured measured) throws Exception {
        DatabaseConfig database =
                EmbeddedStore.prepare(new EmbeddedPostgres(home.resolve("pg")).start());
        String session = start(first);
        Deque<HostRun> hosts = new ArrayDeque<>(List.of(first, host(OTHER)));
        for (int i = 0; i < TAKEOVERS; i++) {
            HostRun owner = hosts.removeFirst();
            HostRun other = hosts.getFirst();
            try (Follower client = new Follower(other.home(), session)) {
                long _ = client.next();
                String dead = owner(database, session);
                long killed = owner.kill();
                awaitOtherOwner(database, session, dead);
                measured.takeover().add((client.next() - killed) / 1e6);
                measured.silence().add(silence(database, session, dead));
            }
            hosts.addLast(host(i % 2 == 0 ? "" : OTHER));
        }
    }

    private static void awaitOtherOwner(DatabaseConfig database, String session, String dead)
            throws SQLException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (owner(database, session).equals(dead)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("nobody took over session " + session);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private static String owner(DatabaseConfig database, String session) throws SQLException {
        return ask(database, "SELECT host_id FROM leases WHERE session_id = ?", session);
    }

    /**
     * From the last heartbeat of a host that is dead to the lease of the one that took over. A host
     * counts as silent when three quarters of the time to live are over.
     */
    private static double silence(DatabaseConfig database, String session, String dead)
            throws SQLException {
        String seconds =
                ask(
                        database,
                        "SELECT extract(epoch FROM l.acquired_at - h.expires_at) FROM leases l,"
                                + " hosts h WHERE l.session_id = ? AND h.id = ?",
                        session,
                        dead);
        double ttl = DatabaseConfig.DEFAULT_LEASE_TTL.toMillis();
        return Double.parseDouble(seconds) * 1e3 + ttl * 3 / 4;
    }

    private static String ask(DatabaseConfig database, String sql, String... arguments)
            throws SQLException {
        try (Connection db =
                        DriverManager.getConnection(
                                database.url(),
                                database.owner().user(),
                                database.owner().password());
                PreparedStatement query = db.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                query.setString(i + 1, arguments[i]);
            }
            try (ResultSet rows = query.executeQuery()) {
                if (!rows.next()) {
                    throw new IllegalStateException("no row: " + sql);
                }
                return rows.getString(1);
            }
        }
    }

    /** A session whose turn runs one short command after the other. */
    private String start(HostRun host) throws IOException, InterruptedException {
        Path workspace = Files.createTempDirectory(root, "workspace-");
        ArrayNode script = JSON.createArrayNode();
        for (int i = 0; i < COMMANDS; i++) {
            ObjectNode call = script.addObject().put("text", "").putArray("calls").addObject();
            call.put("tool", "exec").putObject("args").putArray("argv").add("sleep").add(COMMAND);
        }
        ObjectNode request =
                JSON.createObjectNode().put("prompt", "Go.").put("model", "script:kills");
        request.put("script", script.toString());
        request.putObject("workspace").put("path", workspace.toString());
        return JSON.readTree(send(host, "POST", "/v1/dev", request.toString())).path("id").asText();
    }

    private static String send(HostRun host, String method, String path, String body)
            throws IOException, InterruptedException {
        HostFile file = HostFile.read(host.home()).orElseThrow();
        HttpRequest request =
                HttpRequest.newBuilder(file.address().resolve(path))
                        .header("Authorization", "Bearer " + file.token().orElse(""))
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer =
                    client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() / 100 != 2) {
                throw new IllegalStateException(method + " " + path + ": " + answer.body());
            }
            return answer.body();
        }
    }
}
