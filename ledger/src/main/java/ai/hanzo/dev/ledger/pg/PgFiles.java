package ai.hanzo.dev.ledger.pg;

import ai.hanzo.dev.ledger.LedgerException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * What lies where under the root, which is {@code $HANZO_HOME/pg}:
 *
 * <pre>
 *   bin-VERSION/     the unpacked binaries
 *   data/            the cluster
 *   run/             the socket's directory, 0700; elsewhere when its path would be too long
 *   password         of the owner's login, 0600
 *   app-password     of the application's login, 0600
 *   lock             held while one process starts or stops PostgreSQL
 *   start.log        what pg_ctl said last
 * </pre>
 *
 * Immutable; safe for all threads.
 */
final class PgFiles {
    /** {@code sun_path} of unix(7) holds 108 bytes with its final zero. */
    private static final int MAX_SOCKET_PATH_BYTES = 107;

    private static final String SOCKET = ".s.PGSQL.5432";
    private static final Set<PosixFilePermission> PRIVATE_DIR =
            PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> PRIVATE_FILE =
            PosixFilePermissions.fromString("rw-------");

    private final Path root;

    PgFiles(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    Path root() {
        return root;
    }

    Path binaries(String version) {
        return root.resolve("bin-" + version);
    }

    Path data() {
        return root.resolve("data");
    }

    Path postmasterPid() {
        return data().resolve("postmaster.pid");
    }

    Path lock() {
        return root.resolve("lock");
    }

    Path startLog() {
        return root.resolve("start.log");
    }

    Path socket() {
        return socketDir().resolve(SOCKET);
    }

    /** PostgreSQL's, beside the socket: the number of the server's process in its first line. */
    Path socketLock() {
        return socketDir().resolve(SOCKET + ".lock");
    }

    /**
     * {@code run} under the root; where that is too long for a socket, a directory named after the
     * root under the temporary directory.
     */
    Path socketDir() {
        Path plain = root.resolve("run");
        if (fits(plain)) {
            return plain;
        }
        String name =
                "hanzo-pg-"
                        + Integer.toHexString(root.toString().hashCode())
                        + "-"
                        + root.getNameCount();
        Path shorter = Path.of(System.getProperty("java.io.tmpdir", "/tmp"), name);
        return fits(shorter) ? shorter : Path.of("/tmp", name);
    }

    private static boolean fits(Path dir) {
        byte[] path = dir.resolve(SOCKET).toString().getBytes(StandardCharsets.UTF_8);
        return path.length <= MAX_SOCKET_PATH_BYTES;
    }

    /** Makes the directories; refuses one that others can enter or own. */
    void prepare() throws IOException {
        privateDir(root);
        privateDir(socketDir());
    }

    private static void privateDir(Path dir) throws IOException {
        if (!Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) {
            Path parent = dir.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.createDirectory(dir, PosixFilePermissions.asFileAttribute(PRIVATE_DIR));
        }
        Object owner = Files.getAttribute(dir, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        Object me = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        if (!owner.equals(me)) {
            throw LedgerException.cannotStart(
                    "The directory " + dir + " belongs to another user; move it away.", null);
        }
        Files.setPosixFilePermissions(dir, PRIVATE_DIR);
    }

    /** The owner's password, made at the first call. */
    String ownerPassword() throws IOException {
        return password(root.resolve("password"));
    }

    Path ownerPasswordFile() {
        return root.resolve("password");
    }

    /** The application's password, made at the first call. */
    String appPassword() throws IOException {
        return password(root.resolve("app-password"));
    }

    private static String password(Path file) throws IOException {
        if (!Files.exists(file)) {
            byte[] random = new byte[24];
            new SecureRandom().nextBytes(random);
            Path fresh = file.resolveSibling(file.getFileName() + ".new");
            Files.deleteIfExists(fresh);
            Files.createFile(fresh, PosixFilePermissions.asFileAttribute(PRIVATE_FILE));
            Files.writeString(fresh, HexFormat.of().formatHex(random), StandardOpenOption.SYNC);
            Files.move(fresh, file);
        }
        return Files.readString(file).strip();
    }

    /**
     * Whether a process is or becomes the server of this cluster. Its pid file does not say: a
     * server that was just begun has not written it yet, and then the number is that of the one
     * before.
     */
    boolean isServed() {
        String data = data().toString();
        return ProcessHandle.allProcesses().anyMatch(process -> isServer(process, data));
    }

    private static boolean isServer(ProcessHandle process, String data) {
        try {
            // Java does not tell the arguments of a process of another user namespace.
            Path file = Path.of("/proc", Long.toString(process.pid()), "cmdline");
            List<String> line = List.of(Files.readString(file).split("\\x00", -1));
            int option = line.indexOf("-D");
            return option > 0
                    && line.get(option - 1).endsWith("/bin/postgres")
                    && line.get(option + 1).equals(data);
        } catch (IOException _) {
            return false;
        }
    }
}
