package ai.hanzo.dev.host;

import ai.hanzo.dev.host.core.CoreLimits;
import ai.hanzo.dev.host.core.CoreShelf;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.core.SnapshotSeal;
import ai.hanzo.dev.host.core.WarmUp;
import ai.hanzo.dev.host.dispatch.CellEffects;
import ai.hanzo.dev.host.dispatch.CellOutcomes;
import ai.hanzo.dev.host.dispatch.CellProxies;
import ai.hanzo.dev.host.dispatch.WebEffects;
import ai.hanzo.dev.host.local.HostServices;
import ai.hanzo.dev.host.model.ProviderModels;
import ai.hanzo.dev.host.model.ProviderSettings;
import ai.hanzo.dev.host.op.DevService;
import ai.hanzo.dev.host.op.SessionFiles;
import ai.hanzo.dev.host.op.ShellSource;
import ai.hanzo.dev.host.op.StreamSource;
import ai.hanzo.dev.host.secret.Secrets;
import ai.hanzo.dev.host.secret.Vaults;
import ai.hanzo.dev.host.service.Changes;
import ai.hanzo.dev.host.service.Copies;
import ai.hanzo.dev.host.service.Endings;
import ai.hanzo.dev.host.service.Exports;
import ai.hanzo.dev.host.service.Forks;
import ai.hanzo.dev.host.service.HostFiles;
import ai.hanzo.dev.host.service.HostService;
import ai.hanzo.dev.host.service.Imports;
import ai.hanzo.dev.host.service.Inputs;
import ai.hanzo.dev.host.service.Queries;
import ai.hanzo.dev.host.service.Retention;
import ai.hanzo.dev.host.service.ShellEnds;
import ai.hanzo.dev.host.service.Shells;
import ai.hanzo.dev.host.service.Starts;
import ai.hanzo.dev.host.service.Suspensions;
import ai.hanzo.dev.host.service.Verifier;
import ai.hanzo.dev.host.session.CellRoom;
import ai.hanzo.dev.host.session.CellSpecs;
import ai.hanzo.dev.host.session.LiveSessions;
import ai.hanzo.dev.host.session.NewSessions;
import ai.hanzo.dev.host.session.SessionParts;
import ai.hanzo.dev.host.stream.Deltas;
import ai.hanzo.dev.host.stream.EntryViews;
import ai.hanzo.dev.host.stream.Streams;
import ai.hanzo.dev.host.tool.Calls;
import ai.hanzo.dev.host.tool.Configs;
import ai.hanzo.dev.host.tool.Tools;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.EmbeddedStore;
import ai.hanzo.dev.ledger.jdbc.PostgresStore;
import ai.hanzo.dev.ledger.pg.EmbeddedPostgres;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.id.HostId;
import ai.hanzo.dev.protocol.id.RunnerId;
import ai.hanzo.dev.protocol.id.Uuid7;
import ai.hanzo.dev.sandbox.CellException;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.CellsConfig;
import ai.hanzo.dev.workspace.BlobStore;
import ai.hanzo.dev.workspace.Checkpoints;
import ai.hanzo.dev.workspace.DiskBlobStore;
import ai.hanzo.dev.workspace.Workspaces;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Puts the services of a host together: the only place that says new for them. What it opened it
 * closes, in reverse; cells and PostgreSQL live on.
 */
public final class Assembly implements HostServices {
    /** How often is looked for what can be removed. */
    private static final Duration RETENTION = Duration.ofHours(6);

    /** Kept ready; sessions are begun one at a time, and nested agents share their session's. */
    private static final int WARM_CELLS = 2;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final DevService service;
    private final Streams streams;
    private final ShellSource shells;
    private final SessionFiles files;
    private final Retention retention;
    private final LiveSessions live;
    private final Store store;
    private final Heart heart;
    private final Secrets secrets;
    private final WarmUp warmUp;
    private final Cells cells;

    /**
     * Opens everything.
     *
     * @param whenDead called when other hosts have declared this one dead
     * @throws HostException when another host works in the state directory
     */
    public Assembly(HostConfig config, Runnable whenDead) {
        this(config, whenDead, cells -> cells);
    }

    /**
     * The same with something between this host and its cells.
     *
     * @param tap sees what goes to the cells, and what comes
     */
    Assembly(HostConfig config, Runnable whenDead, UnaryOperator<Cells> tap) {
        this(config, whenDead, tap, CellProxies.toPublicAddresses());
    }

    /**
     * The same with other ways out.
     *
     * @param proxies the ways out of cells
     */
    Assembly(HostConfig config, Runnable whenDead, UnaryOperator<Cells> tap, CellProxies proxies) {
        this(config, whenDead, tap, proxies, () -> CoreShelf.builtIn(CoreLimits.DEFAULTS));
    }

    /**
     * The same with other cores.
     *
     * @param shelf makes them
     */
    Assembly(
            HostConfig config,
            Runnable whenDead,
            UnaryOperator<Cells> tap,
            CellProxies proxies,
            Supplier<Cores> shelf) {
        SecureRandom random = new SecureRandom();
        Clock clock = Clock.systemUTC();
        Uuid7 ids = new Uuid7(clock, random);
        boolean complete = false;
        try {
            HostIdentity identity = open(HostIdentity.take(config.home(), config.state(), random));
            DatabaseConfig database = database(config);
            store = open(PostgresStore.open(database, ids, () -> revive(config)));
            OrgKeys keys = OrgKeys.of(config.state(), config.environment(), random);
            SessionParts.SealFinder seals = org -> new SnapshotSeal(keys.derive("snapshot", org));
            secrets = secrets(config, keys, database);
            Cores cores = open(shelf.get());
            warmUp = open(new WarmUp(cores));
            cells = tap.apply(open(cells(config.state())));
            DiskBlobStore blobs =
                    new DiskBlobStore(
                            config.state().resolve("blobs"), Optional.of(keys.ofBlobs(random)));
            Checkpoints checkpoints = open(checkpoints(config.state(), blobs));
            Deltas deltas = new Deltas();
            CellOutcomes outcomes = new CellOutcomes(blobs, secrets);
            Vaults vaults = vaults(keys, outcomes, random);
            SessionParts parts =
                    new SessionParts(
                            store,
                            cores,
                            new CellRoom(cells),
                            new CellSpecs(config.state()),
                            open(new ProviderModels(new Calls(Content.Inline::new))),
                            checkpoints,
                            (cell, denials, limit) ->
                                    new CellEffects(cell, outcomes, denials, limit),
                            open(WebEffects.toPublicAddresses()),
                            proxies,
                            new OpFacts(outcomes::load),
                            seals,
                            vaults,
                            deltas,
                            ids,
                            clock,
                            config.sessionIdleAfter());
            live =
                    open(
                            new LiveSessions(
                                    parts,
                                    identity.id(),
                                    ProviderSettings.of(config.environment())));
            EntryViews entries = new EntryViews(store.journal(), store.approvals());
            streams = open(new Streams(store, deltas, entries));
            Services services =
                    services(new Base(config, identity.runner(), parts, live, entries, blobs));
            service = services.service();
            files = services.files();
            shells =
                    new Shells(
                            new Queries(store, live, entries), live, new ShellEnds(store), random);
            identity.predecessor().ifPresent(store.leases()::retire);
            store.leases().register(identity.id(), identity.runner());
            retention = services.retention();
            store.timers().every("retention", RETENTION, retention::run);
            store.timers().start();
            heart = open(heart(identity.id(), whenDead));
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    /** What the services stand on. */
    private record Base(
            HostConfig config,
            RunnerId runner,
            SessionParts parts,
            LiveSessions live,
            EntryViews entries,
            DiskBlobStore blobs) {

        NewSessions.Machine machine() {
            return new NewSessions.Machine(HostIdentity.machine(), runner);
        }

        /** For files on their way. */
        Path temporary() {
            return config.state().resolve("tmp");
        }
    }

    private record Services(DevService service, SessionFiles files, Retention retention) {}

    private static Services services(Base base) {
        SessionParts parts = base.parts();
        Store store = parts.store();
        LiveSessions live = base.live();
        Checkpoints checkpoints = parts.checkpoints();
        Workspaces workspaces = Workspaces.ofMachine(base.config().state());
        Copies copies = new Copies(checkpoints, workspaces);
        Queries queries = new Queries(store, live, base.entries());
        Retention retention =
                new Retention(
                        store,
                        base.blobs(),
                        checkpoints,
                        parts.specs()::directory,
                        base.config().keepEnded());
        DevService service =
                new HostService(
                        new Starts(workspaces, newSessions(base), live),
                        new Inputs(
                                store,
                                live,
                                queries,
                                new Endings(store, live),
                                parts.vaults().secrets()),
                        queries,
                        new Changes(store, queries, checkpoints, workspaces),
                        new HostService.Others(
                                new Verifier(
                                        store,
                                        parts.cores(),
                                        parts.seals(),
                                        new Verifier.Kept(
                                                base.blobs(), checkpoints, parts.vaults())),
                                new Suspensions(store, live),
                                new Forks(
                                        store,
                                        parts.cores(),
                                        parts.seals(),
                                        new Forks.Kept(checkpoints, copies, parts.vaults()),
                                        parts.ids()),
                                retention));
        SessionFiles files =
                new HostFiles(
                        queries,
                        new Exports(
                                store.archives(),
                                new Exports.Kept(base.blobs(), checkpoints, parts.vaults()),
                                base.temporary()),
                        new Imports(
                                store,
                                parts.cores(),
                                parts.seals(),
                                new Imports.Files(
                                        base.blobs(), checkpoints, copies, parts.vaults()),
                                base.machine(),
                                base.temporary()));
        return new Services(service, files, retention);
    }

    /** Begins to work: takes up what an earlier host left. */
    public void start() {
        heart.start();
    }

    /** What removes sessions that are over, every few hours. */
    Retention retention() {
        return retention;
    }

    /** Makes core and cells fast in the background; for a process that will live on. */
    void warmUp() {
        warmUp.start();
        Thread.ofVirtual().name("cells-warm-up").start(this::readyCells);
    }

    /** With the first greeting the supervisor begins to keep cells ready. */
    private void readyCells() {
        try {
            cells.ready();
        } catch (CellException e) {
            // Whoever needs a cell is told.
            org.slf4j.LoggerFactory.getLogger(Assembly.class)
                    .atDebug()
                    .setCause(e)
                    .log("no cells are kept ready");
        }
    }

    @Override
    public DevService service() {
        return service;
    }

    @Override
    public StreamSource streams() {
        return streams;
    }

    @Override
    public ShellSource shells() {
        return shells;
    }

    @Override
    public SessionFiles files() {
        return files;
    }

    @Override
    public void keepSecret(String secret) {
        secrets.add(List.of(secret));
    }

    @Override
    public List<String> missing() {
        return heart.isWell()
                ? List.of()
                : List.of("The database does not answer; it is tried again every few seconds.");
    }

    private Heart heart(HostId id, Runnable whenDead) {
        return new Heart(store.leases(), live, id, whenDead);
    }

    private static NewSessions newSessions(Base base) {
        return new NewSessions(
                base.parts(), base.live(), new Configs(Tools.bundled()), base.machine());
    }

    /** What this host knows to be secret. */
    private static Secrets secrets(HostConfig config, OrgKeys keys, DatabaseConfig database) {
        Secrets known = Secrets.of(config.environment());
        known.add(List.of(keys.text(), database.app().password(), database.owner().password()));
        return known;
    }

    private Vaults vaults(OrgKeys keys, CellOutcomes outcomes, SecureRandom random) {
        return new Vaults(
                store.bodies(),
                secrets,
                org -> keys.derive("wrap", org),
                blob -> outcomes.load(new Content.Stored(blob)),
                random);
    }

    /** A database of our own that is gone is started again; one of somebody else's is awaited. */
    private static void revive(HostConfig config) {
        if (config.database().isEmpty()) {
            new EmbeddedPostgres(config.state().resolve("pg")).start();
        }
    }

    @Override
    public boolean busy() {
        return live.count() > 0;
    }

    private static DatabaseConfig database(HostConfig config) {
        Optional<Duration> lease = config.leaseTtl();
        DatabaseConfig database =
                config.database()
                        .orElseGet(() ->
                                EmbeddedStore.prepare(
                                        new EmbeddedPostgres(config.state().resolve("pg"))
                                                .start()));
        return lease.map(database::withLeaseTtl).orElse(database);
    }

    private static Checkpoints checkpoints(Path home, BlobStore blobs) {
        return new Checkpoints(
                blobs, home.resolve("index"), Runtime.getRuntime().availableProcessors());
    }

    private static Cells cells(Path home) {
        return Cells.open(CellsConfig.in(home.resolve("cells")).withWarm(WARM_CELLS));
    }

    private <T extends AutoCloseable> T open(T part) {
        opened.push(part);
        return part;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (RuntimeException e) {
                org.slf4j.LoggerFactory.getLogger(Assembly.class)
                        .atWarn()
                        .setCause(e)
                        .log("not closed in order");
            } catch (Exception e) {
                throw new IllegalStateException("a part of ours threw a checked exception", e);
            }
        }
    }
}
