package ai.hanzo.dev.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.host.local.Home;
import ai.hanzo.dev.host.local.HostFile;
import ai.hanzo.dev.host.local.HostServices;
import ai.hanzo.dev.host.local.Serve;
import ai.hanzo.dev.host.surface.rest.Serving;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.PostgresStore;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.Uuid7;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.CellsConfig;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A whole host in this JVM: REST server, sessions, PostgreSQL, wasm, supervisor and cells, as
 * {@code hanzo dev serve} would run it. Commands find it as they find the local host, by its state
 * directory.
 */
final class TestHost implements AutoCloseable {
    static final OrgId ORG = new OrgId("local");
    static final String BUILD = "test";

    private final Path home;
    private final CompletableFuture<Runnable> stop = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Store store;

    /** A host with its state in {@code home} and a database of its own. */
    TestHost(Path home) {
        this(home, Databases.fresh(), (UnaryOperator<Cells>) cells -> cells);
    }

    TestHost(Path home, DatabaseConfig database, UnaryOperator<Cells> tap) {
        this(
                home,
                database,
                (Assembler)
                        whenDead ->
                                new Assembly(
                                        HostConfig.of(home, Map.of()).withDatabase(database),
                                        whenDead,
                                        tap));
    }

    /** Puts a host together; given what to run when it has to end. */
    interface Assembler {
        Assembly assemble(Runnable whenDead);
    }

    TestHost(Path home, DatabaseConfig database, Assembler assembler) {
        this.home = home;
        var ready = new CompletableFuture<Void>();
        Thread.ofPlatform().name("host").daemon().start(() -> serve(assembler, ready));
        ready.join();
        await();
        store = PostgresStore.open(database.withMaxConnections(2), ids());
    }

    static Uuid7 ids() {
        return new Uuid7(Clock.systemUTC(), new SecureRandom());
    }

    private void serve(Assembler assembler, CompletableFuture<Void> ready) {
        var out = new PrintStream(OutOfReach.INSTANCE, true, UTF_8);
        HostServices.Opener opener =
                (_, whenDead) -> {
                    stop.complete(whenDead);
                    Assembly assembly = assembler.assemble(whenDead);
                    assembly.start();
                    ready.complete(null);
                    return assembly;
                };
        try {
            new Serving(
                            new Serve(
                                    new Home(home),
                                    Optional.empty(),
                                    "127.0.0.1",
                                    0,
                                    Set.of(),
                                    Optional.empty(),
                                    BUILD),
                            opener,
                            out)
                    .run();
            ended.complete(null);
        } catch (InterruptedException | RuntimeException e) {
            ready.completeExceptionally(e);
            ended.completeExceptionally(e);
        }
    }

    /** What the host prints as it starts is of no use here. */
    private static final class OutOfReach extends java.io.OutputStream {
        private static final OutOfReach INSTANCE = new OutOfReach();

        @Override
        public void write(int b) {}
    }

    private void await() {
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> ended.isDone() || HostFile.read(new Home(home)).isPresent());
        if (ended.isDone()) {
            ended.join();
        }
    }

    /** The ledger, for looking. */
    Store store() {
        return store;
    }

    /** Waits until a session has nothing to do. */
    void awaitIdle(SessionId session) {
        Waiting.forState(store, session, SessionState.IDLE);
    }

    /** A command to be run in {@code directory}, like {@code hanzo dev …}. */
    Hanzo in(Path directory) {
        return new Hanzo(home, directory);
    }

    /** A request with the host's token. */
    HttpResponse<String> send(String method, String path, String body, String... headers) {
        return Requests.send(home, method, path, body, headers);
    }

    /** Ends the host; its cells and sessions live on. */
    void stop() {
        stop.join().run();
        try {
            ended.get(30, TimeUnit.SECONDS);
        } catch (InterruptedException
                | java.util.concurrent.ExecutionException
                | java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException("the host did not end", e);
        }
    }

    /** Ends all cells below {@code home}. */
    static void endCells(Path home) {
        try (Cells cells = Cells.open(CellsConfig.in(home.resolve("cells")))) {
            cells.endAll();
        }
    }

    @Override
    public void close() {
        store.close();
        if (!ended.isDone()) {
            stop();
        }
        endCells(home);
    }
}
