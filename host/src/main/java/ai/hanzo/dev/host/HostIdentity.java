package ai.hanzo.dev.host;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.HostId;
import ai.hanzo.dev.protocol.id.RunnerId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Who this host is. Only one host at a time works in a state directory: it holds a lock there for
 * the length of its life, so that whoever gets the lock knows that the one before is dead.
 */
final class HostIdentity implements AutoCloseable {
    private static final int ID_BYTES = 10;

    private final FileChannel lockFile;
    private final FileLock lock;
    private final HostId id;
    private final Optional<HostId> predecessor;
    private final RunnerId runner;

    private HostIdentity(
            FileChannel lockFile,
            FileLock lock,
            HostId id,
            Optional<HostId> predecessor,
            RunnerId runner) {
        this.runner = runner;
        this.lockFile = lockFile;
        this.lock = lock;
        this.id = id;
        this.predecessor = predecessor;
    }

    /**
     * Takes the lock of {@code home}.
     *
     * @param state where the cells are; hosts of one state directory are of one runner
     * @throws HostException when another host holds it
     */
    static HostIdentity take(Path home, Path state, RandomGenerator random) {
        try {
            Files.createDirectories(home);
            FileChannel file =
                    FileChannel.open(
                            home.resolve("host.lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            FileLock lock;
            try {
                lock = file.tryLock();
            } catch (OverlappingFileLockException e) {
                lock = null;
            }
            if (lock == null) {
                file.close();
                throw HostException.alreadyRuns(home);
            }
            Path name = home.resolve("host.id");
            Optional<HostId> before = read(name);
            HostId mine = new HostId("host-" + name(random));
            Path fresh = home.resolve("host.id.new");
            Files.writeString(fresh, mine.value());
            Files.move(
                    fresh,
                    name,
                    java.nio.file.StandardCopyOption.ATOMIC_MOVE,
                    java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            return new HostIdentity(file, lock, mine, before, runner(state, random));
        } catch (IOException e) {
            throw HostException.stateDirectory(home, e);
        }
    }

    private static String name(RandomGenerator random) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * Which cells this host can reach: those of the supervisor of its state directory. Hosts of
     * other directories that use the same database cannot, so their sessions are not ours.
     */
    private static RunnerId runner(Path state, RandomGenerator random) throws IOException {
        Path file = state.resolve("runner.id");
        if (!Files.exists(file)) {
            Path fresh = state.resolve("runner.id." + name(random));
            Files.writeString(fresh, "local-" + machine() + "-" + name(random));
            try {
                Files.createLink(file, fresh);
            } catch (FileAlreadyExistsException e) {
                // Another host of this directory was a moment faster: its name counts.
            }
            Files.delete(fresh);
        }
        return new RunnerId(Files.readString(file).strip());
    }

    private static Optional<HostId> read(Path file) throws IOException {
        try {
            return Optional.of(new HostId(Files.readString(file).strip()));
        } catch (NoSuchFileException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    HostId id() {
        return id;
    }

    /** The host that was here before; it is dead. */
    Optional<HostId> predecessor() {
        return predecessor;
    }

    /** An id of this machine that is the same after a restart and tells nothing about it. */
    static String machine() {
        String name;
        try {
            name = Files.readString(Path.of("/etc/machine-id")).strip();
        } catch (IOException e) {
            try {
                name = InetAddress.getLocalHost().getHostName();
            } catch (IOException unknown) {
                name = "localhost";
            }
        }
        return Sha256.of(Bytes.utf8("hanzo dev machine " + name)).toHex().substring(0, 16);
    }

    /** Whose cells this host can reach. */
    RunnerId runner() {
        return runner;
    }

    @Override
    public void close() {
        try {
            lock.release();
            lockFile.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
