package ai.hanzo.dev.ledger.pg;

import ai.hanzo.dev.ledger.LedgerException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A durable PostgreSQL of our own, in one directory, for one user. It listens on a unix socket in a
 * private directory and nowhere else, outlives the process that started it, and is found again by
 * the next one.
 *
 * <p>{@link #start} and {@link #stop} may be called by many processes at once: a lock file lets one
 * at a time do it. Throws {@link LedgerException} with a sentence that says what to do.
 */
public final class EmbeddedPostgres {
    /** The login that owns everything in the cluster. */
    public static final String OWNER = "hanzo";

    /** The login of the application, made by whoever opens the database first. */
    public static final String APP = "hanzo_app";

    /** PostgreSQL's word for sessions of a server that was killed (sysv_shmem.c). */
    private static final String STILL_IN_USE = "pre-existing shared memory block";

    /** Its word for a server that lives, or is not yet buried (miscinit.c). */
    private static final Pattern ANOTHER_STARTS =
            Pattern.compile("lock file \".*\" already exists");

    private static final Duration INITDB_DEADLINE = Duration.ofMinutes(2);
    private static final Duration START_DEADLINE = Duration.ofSeconds(90);
    private static final Duration STOP_DEADLINE = Duration.ofMinutes(1);
    private static final Pattern FAULT = Pattern.compile("(?:FATAL|PANIC): +(.*)");

    /** How PostgreSQL words it: src/backend/access/transam/xlog.c and xlogrecovery.c. */
    private static final Pattern DAMAGE =
            Pattern.compile(
                    "control file|checkpoint record|incompatible with server|corrupt"
                            + "|could not read file|not a valid data directory|PG_VERSION");

    private static final long LOOK_NANOS = 10_000_000L;
    private static final String CONF = "hanzo.conf";

    private final PgFiles files;
    private final boolean isRoot;
    private final String version;
    private final PgCommand command;

    /** For the directory {@code root}, which is {@code $HANZO_HOME/pg}; nothing is touched yet. */
    public EmbeddedPostgres(Path root) {
        this.files = new PgFiles(root);
        this.isRoot = isRoot();
        this.version = PgBinaries.version();
        this.command = new PgCommand(files.binaries(version), files.startLog(), isRoot);
    }

    /**
     * A running server.
     *
     * @param socketDir where its socket is
     * @param ownerPassword of {@link #OWNER}
     * @param appPassword to be given to {@link #APP}
     * @param wasRunning whether another process had started it before
     */
    public record Running(
            Path socketDir, String ownerPassword, String appPassword, boolean wasRunning) {
        @Override
        public String toString() {
            return "Running[" + socketDir + "]";
        }
    }

    /** Starts the server, or finds it running. The first time makes the cluster: some seconds. */
    public Running start() {
        try {
            files.prepare();
            if (answers()) {
                return running(/* wasRunning= */ true);
            }
            try (FileChannel channel =
                            FileChannel.open(
                                    files.lock(),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE);
                    FileLock _ = channel.lock()) {
                if (answers()) {
                    return running(/* wasRunning= */ true);
                }
                PgBinaries.unpack(files.binaries(version));
                initialise();
                configure();
                launch();
                return running(/* wasRunning= */ false);
            }
        } catch (IOException e) {
            throw trouble(e);
        }
    }

    /** Stops the server after its commits are done; nothing happens if none runs. */
    public void stop() {
        if (!Files.exists(files.postmasterPid())) {
            return;
        }
        try (FileChannel channel =
                        FileChannel.open(
                                files.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            removeStaleLocks();
            if (!Files.exists(files.postmasterPid())) {
                return;
            }
            PgCommand.Ended ended =
                    command.run(
                            STOP_DEADLINE,
                            "pg_ctl",
                            "stop",
                            "-D",
                            files.data().toString(),
                            "-m",
                            "fast",
                            "-w",
                            "-t",
                            Long.toString(STOP_DEADLINE.toSeconds() - 5));
            if (ended.exit() != 0 && answers()) {
                throw LedgerException.cannotStart(
                        "PostgreSQL does not stop: " + lastLine(ended.output()), null);
            }
        } catch (IOException e) {
            throw trouble(e);
        }
    }

    /**
     * What {@link #start} would come to, in a line; touches nothing.
     *
     * @throws LedgerException when it would fail for want of something on this machine
     */
    public String check() {
        if (!PgBinaries.areThere()) {
            throw PgBinaries.absent();
        }
        if (answers()) {
            return version + ", runs";
        }
        if (isRoot && !PgCommand.makesUserNamespaces()) {
            throw noUserNamespace();
        }
        return version + ", starts with the first host";
    }

    /** Whether a server answers at the socket. */
    public boolean isRunning() {
        return answers();
    }

    /** The process id of the server, if one is running. */
    public Optional<Long> pid() {
        return readPid(files.postmasterPid()).filter(this::isOurServer);
    }

    private Running running(boolean wasRunning) throws IOException {
        return new Running(
                files.socketDir(), files.ownerPassword(), files.appPassword(), wasRunning);
    }

    private boolean answers() {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(files.socket()));
        } catch (IOException _) {
            return false;
        }
    }

    /**
     * Makes the cluster beside its place and moves it there, so that there is never half of one.
     */
    private void initialise() throws IOException {
        Path data = files.data();
        if (Files.exists(data)) {
            checkCluster(data);
            return;
        }
        Path fresh = files.root().resolve("data.new");
        PgBinaries.deleteTree(fresh);
        files.ownerPassword();
        PgCommand.Ended ended =
                command.run(
                        INITDB_DEADLINE,
                        "initdb",
                        "-D",
                        fresh.toString(),
                        "-U",
                        OWNER,
                        "-A",
                        "scram-sha-256",
                        "--pwfile=" + files.ownerPasswordFile(),
                        "-E",
                        "UTF8",
                        "--no-locale",
                        "--wal-segsize=16",
                        "--no-instructions");
        if (ended.exit() != 0) {
            PgBinaries.deleteTree(fresh);
            throw initFault(ended.output());
        }
        Files.writeString(
                fresh.resolve("postgresql.conf"),
                "\ninclude = '" + CONF + "'\n",
                StandardOpenOption.APPEND);
        Files.writeString(fresh.resolve(CONF), "");
        Files.move(fresh, data, StandardCopyOption.ATOMIC_MOVE);
    }

    private void checkCluster(Path data) throws IOException {
        Path file = data.resolve("PG_VERSION");
        if (!Files.isRegularFile(file) || !Files.isDirectory(data.resolve("base"))) {
            throw LedgerException.corrupt(data + " is not a PostgreSQL cluster.");
        }
        String found = Files.readString(file).strip();
        String mine = version.substring(0, version.indexOf('.'));
        if (!found.equals(mine)) {
            throw LedgerException.wrongVersion(
                    data
                            + " belongs to PostgreSQL "
                            + found
                            + " and this hanzo brings "
                            + mine
                            + "; use the hanzo that made it, export, and import here.");
        }
    }

    private void configure() throws IOException {
        String socketDir = files.socketDir().toString().replace("\"", "\"\"").replace("'", "''");
        String conf =
                """
                # Written at each start.
                listen_addresses = ''
                unix_socket_directories = '"%s"'
                unix_socket_permissions = 0700
                port = 5432
                max_connections = 60
                shared_buffers = 64MB
                # Durable: a commit that was acknowledged survives a power cut.
                fsync = on
                synchronous_commit = on
                full_page_writes = on
                # One machine, no replicas.
                wal_level = minimal
                max_wal_senders = 0
                max_wal_size = 1GB
                min_wal_size = 32MB
                # Our statements take milliseconds: what takes longer is lost.
                lock_timeout = 30s
                idle_in_transaction_session_timeout = 60s
                jit = off
                logging_collector = on
                log_directory = 'log'
                log_filename = 'postgresql-%%a.log'
                log_truncate_on_rotation = on
                log_rotation_age = 1d
                log_rotation_size = 10MB
                log_min_messages = warning
                log_min_error_statement = panic
                log_timezone = 'UTC'
                timezone = 'UTC'
                """
                        .formatted(socketDir);
        Path file = files.data().resolve(CONF);
        Path fresh = files.data().resolve(CONF + ".new");
        Files.writeString(fresh, conf);
        Files.move(
                fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Starts the server and waits until it takes connections. Not by pg_ctl: that goes through a
     * shell, which reads more into some paths than is there. A server that somebody else started
     * and did not live to see ready is waited for.
     */
    private void launch() throws IOException {
        Optional<Process> server = Optional.empty();
        long deadline = System.nanoTime() + START_DEADLINE.toNanos();
        while (!(isReady() && answers())) {
            if (server.filter(Process::isAlive).isEmpty() && !files.isServed()) {
                if (server.isPresent()) {
                    refuseUnlessInUse(command.output());
                }
                removeStaleLocks();
                server = Optional.of(command.launch("postgres", "-D", files.data().toString()));
            }
            if (System.nanoTime() - deadline > 0) {
                throw LedgerException.cannotStart(
                        "PostgreSQL is still not ready after "
                                + START_DEADLINE.toSeconds()
                                + " s; look into "
                                + files.startLog()
                                + " and try again.",
                        null);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** A server that was killed, or another's, may be in the way for a moment. */
    private void refuseUnlessInUse(String said) throws IOException {
        if (!said.contains(STILL_IN_USE) && !ANOTHER_STARTS.matcher(said).find()) {
            throw startFault(said);
        }
    }

    /** The eighth line of the pid file is the server's word for its state, as pg_ctl reads it. */
    private boolean isReady() {
        try {
            List<String> lines = Files.readAllLines(files.postmasterPid());
            return lines.size() >= 8 && lines.get(7).strip().equals("ready") && pid().isPresent();
        } catch (IOException _) {
            return false;
        }
    }

    /**
     * Removes the pid file of a server that is gone, and the socket's, which holds the same.
     * PostgreSQL does so itself unless the number has been given to another process of ours
     * meanwhile, as happens after a reboot, or belongs to one that is dead and not yet buried.
     * While a server starts, the files may become its own at any moment, and stay.
     */
    private void removeStaleLocks() throws IOException {
        for (Path file : List.of(files.postmasterPid(), files.socketLock())) {
            Optional<Long> pid = readPid(file);
            if (pid.isPresent() && !isOurServer(pid.get()) && !files.isServed()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static Optional<Long> readPid(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            return lines.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Long.parseLong(lines.getFirst().strip()));
        } catch (IOException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    private boolean isOurServer(long pid) {
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
            return line.contains("postgres") && line.contains(files.data().toString());
        } catch (IOException _) {
            return false;
        }
    }

    private LedgerException initFault(String output) {
        if (isDiskFull(output)) {
            return LedgerException.storageFull(new IOException(lastLine(output)));
        }
        if (isRoot && output.contains("unshare")) {
            return noUserNamespace();
        }
        return LedgerException.cannotStart("PostgreSQL's initdb failed: " + lastLine(output), null);
    }

    /** What the server wrote to its own log, once that was open. */
    private String newestLog() throws IOException {
        Path dir = files.data().resolve("log");
        if (!Files.isDirectory(dir)) {
            return "";
        }
        try (Stream<Path> logs = Files.list(dir)) {
            Optional<Path> newest =
                    logs.max(Comparator.comparingLong(path -> path.toFile().lastModified()));
            return newest.isEmpty() ? "" : Files.readString(newest.get());
        }
    }

    private LedgerException startFault(String first) throws IOException {
        String said = FAULT.matcher(first).find() ? first : first + newestLog();
        if (isDiskFull(said)) {
            return LedgerException.storageFull(new IOException(lastLine(said)));
        }
        if (isRoot && said.contains("unshare")) {
            return noUserNamespace();
        }
        String reason = lastFault(said);
        if (DAMAGE.matcher(reason).find()) {
            return LedgerException.corrupt(
                    "PostgreSQL cannot read " + files.data() + " (" + reason + ").");
        }
        return LedgerException.cannotStart(
                "PostgreSQL does not start (" + reason + "); see " + files.startLog() + ".", null);
    }

    private static LedgerException noUserNamespace() {
        return LedgerException.cannotStart(
                "PostgreSQL refuses to run as root, and this machine lets root make no user"
                        + " namespace; run hanzo as another user, or give a database with --db"
                        + " postgresql://HOST/DATABASE.",
                null);
    }

    private LedgerException trouble(IOException e) {
        String text = String.valueOf(e.getMessage());
        if (isDiskFull(text)) {
            return LedgerException.storageFull(e);
        }
        return LedgerException.cannotStart(
                "The directory " + files.root() + " cannot be used: " + text + ".", e);
    }

    private static boolean isDiskFull(String text) {
        return text.contains("No space left on device");
    }

    /** The text of the last fatal line, without its prefix. */
    private static String lastFault(String output) {
        Matcher faults = FAULT.matcher(output);
        String last = "";
        while (faults.find()) {
            last = faults.group(1);
        }
        return last.isEmpty() ? lastLine(output) : last;
    }

    private static String lastLine(String output) {
        String text = output.strip();
        return text.substring(text.lastIndexOf('\n') + 1);
    }

    private static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException e) {
            throw LedgerException.cannotStart("hanzo needs Linux with /proc.", e);
        }
    }
}
