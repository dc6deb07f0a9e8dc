package ai.hanzo.dev.host.local;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The state directory, {@code $HANZO_HOME} or {@code ~/.hanzo}: mode 0700, so that its sockets,
 * token and keys are its owner's alone. Immutable.
 *
 * @param path absolute; what belongs to one host
 * @param state absolute; what the hosts of this machine share: cells, files, the embedded
 *     PostgreSQL. The same as {@code path} unless hosts work side by side
 */
public record Home(Path path, Path state) {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rwx------");

    public Home {
        if (!path.isAbsolute()) {
            throw LocalException.home(path, "it is not an absolute path", null);
        }
        path = path.normalize();
        state = state.normalize();
    }

    /** The home of the only host. */
    public Home(Path path) {
        this(path, path);
    }

    /**
     * The home of a further host, which works beside the others of this one under a name of its
     * own.
     *
     * @param name of a-z, 0-9 and -, up to 32
     * @throws LocalException when it is of another form
     */
    public Home beside(String name) {
        if (!name.matches("[a-z0-9][a-z0-9-]{0,31}")) {
            throw LocalException.home(
                    path, "'" + name + "' is no name of a host: use a-z, 0-9 and -", null);
        }
        return new Home(state.resolve("hosts").resolve(name), state);
    }

    /** The homes of hosts beside this one that were here at some time. */
    public List<Home> besides() {
        Path hosts = state.resolve("hosts");
        if (!Files.isDirectory(hosts)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(hosts)) {
            return all.map(one -> new Home(one, state)).filter(one -> !one.equals(this)).toList();
        } catch (IOException e) {
            throw LocalException.home(path, reason(e), e);
        }
    }

    /** Where the environment says, else in the user's home. Touches nothing. */
    public static Home of(Map<String, String> environment) {
        String named = environment.getOrDefault("HANZO_HOME", "");
        if (!named.isBlank()) {
            return new Home(Path.of(named));
        }
        String user = environment.getOrDefault("HOME", System.getProperty("user.home", ""));
        return new Home(Path.of(user.isBlank() ? "/" : user).toAbsolutePath().resolve(".hanzo"));
    }

    /**
     * Makes the directory and its log directory, or checks them, and takes away what others may.
     *
     * @throws LocalException when it cannot be made, is no directory, or is another user's
     */
    public Home ensure() {
        directory(path);
        directory(log());
        return this;
    }

    private void directory(Path directory) {
        try {
            try {
                Files.createDirectories(
                        directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            } catch (FileAlreadyExistsException e) {
                throw LocalException.home(path, directory + " is not a directory", e);
            }
            if (!Files.getPosixFilePermissions(directory).equals(OWNER_ONLY)) {
                Files.setPosixFilePermissions(directory, OWNER_ONLY);
            }
            if (!Files.isWritable(directory)) {
                throw LocalException.home(path, "it is not writable for you", null);
            }
        } catch (IOException e) {
            throw LocalException.home(path, reason(e), e);
        }
    }

    private static String reason(IOException e) {
        return switch (e) {
            case java.nio.file.AccessDeniedException denied ->
                    "no permission for " + denied.getFile();
            case java.nio.file.FileSystemException failed ->
                    failed.getReason() == null
                            ? failed.getClass().getSimpleName() + " " + failed.getFile()
                            : failed.getReason() + " (" + failed.getFile() + ")";
            default -> String.valueOf(e.getMessage());
        };
    }

    /** True when there is a directory; nothing is made. */
    public boolean exists() {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) || Files.isDirectory(path);
    }

    /** Names the running host. */
    public Path hostFile() {
        return path.resolve("host.json");
    }

    /** The bearer token of the running host; mode 0600. */
    public Path tokenFile() {
        return path.resolve("token");
    }

    /** Held by whoever starts or ends a host, for as long as that takes. */
    public Path startLock() {
        return path.resolve("start.lock");
    }

    /** Rotated logs, and what a host printed before it could log. */
    public Path log() {
        return path.resolve("log");
    }

    /** The host's own log. */
    public Path hostLog() {
        return log().resolve("host.log");
    }

    /** What the host's process printed. */
    public Path hostOutput() {
        return log().resolve("host.out");
    }
}
