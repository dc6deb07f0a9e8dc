package ai.hanzo.dev.workspace;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides which directories may be workspaces. Immutable; any thread. A directory on a laptop is
 * edited in place by commands that nobody watches, so those that hold more than one project are
 * refused.
 */
public final class Workspaces {

    /** Nothing in these is anybody's project. */
    private static final List<String> SYSTEM_TREES =
            List.of(
                    "/bin",
                    "/boot",
                    "/dev",
                    "/etc",
                    "/lib",
                    "/lib32",
                    "/lib64",
                    "/libx32",
                    "/proc",
                    "/run",
                    "/sbin",
                    "/sys",
                    "/usr",
                    "/var/lib",
                    "/var/log",
                    "/var/spool",
                    "/var/cache",
                    "/var/run");

    /** These hold what belongs to many; what lies in them may be a project. */
    private static final List<String> SHARED =
            List.of(
                    "/home",
                    "/media",
                    "/mnt",
                    "/opt",
                    "/srv",
                    "/tmp",
                    "/var",
                    "/var/tmp",
                    "/usr/src",
                    "/usr/local/src",
                    "/dev/shm",
                    "/lost+found");

    private static final List<String> SOURCES = List.of("/usr/src", "/usr/local/src", "/dev/shm");

    private final Path stateDirectory;
    private final Set<Path> homes;

    /**
     * @param stateDirectory {@code $HANZO_HOME}: never a workspace, nor anything in it or above it
     * @param homes home directories of people; {@link #homesOf} finds those of this machine
     */
    public Workspaces(Path stateDirectory, Set<Path> homes) {
        this.stateDirectory = real(stateDirectory);
        Set<Path> all = new HashSet<>();
        homes.forEach(h -> all.add(real(h)));
        this.homes = Set.copyOf(all);
    }

    /**
     * The home directories that {@code passwd} (the lines of /etc/passwd) names, and {@code own}.
     */
    public static Set<Path> homesOf(List<String> passwd, Path own) {
        Set<Path> homes = new HashSet<>();
        homes.add(own);
        for (String line : passwd) {
            String[] fields = line.split(":", -1);
            boolean person =
                    fields.length >= 7
                            && fields[5].startsWith("/")
                            && !fields[6].endsWith("nologin")
                            && !fields[6].endsWith("/false");
            if (person) {
                homes.add(Path.of(fields[5]));
            }
        }
        return homes;
    }

    /** For this machine: homes out of /etc/passwd and the property {@code user.home}. */
    public static Workspaces ofMachine(Path stateDirectory) {
        List<String> passwd = List.of();
        try {
            passwd = Files.readAllLines(Path.of("/etc/passwd"), StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            // no such file in some containers: the own home is known all the same
        }
        Path own = Path.of(System.getProperty("user.home", "/root"));
        return new Workspaces(stateDirectory, homesOf(passwd, own));
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException _) {
            return path.toAbsolutePath().normalize();
        }
    }

    /**
     * Looks at {@code directory}; symbolic links in it are resolved first.
     *
     * @param overrides directories that the user named as allowed although the rules refuse them.
     *     They never cover the state directory or what holds it
     */
    public Admission admit(Path directory, Set<Path> overrides) {
        Path path;
        try {
            path = directory.toAbsolutePath().toRealPath();
        } catch (NoSuchFileException _) {
            return refused(
                    Admission.Reason.MISSING,
                    directory + " does not exist: make it or name another.");
        } catch (IOException e) {
            return refused(
                    Admission.Reason.NOT_READABLE,
                    directory + " cannot be reached (" + e.getMessage() + "): name another.");
        }
        if (!Files.isDirectory(path)) {
            return refused(
                    Admission.Reason.NOT_A_DIRECTORY,
                    path + " is not a directory: name the directory of your project.");
        }
        if (path.startsWith(stateDirectory) || stateDirectory.startsWith(path)) {
            return stateRefusal(path);
        }
        boolean overridden = overrides.stream().anyMatch(o -> real(o).equals(path));
        if (!overridden) {
            Admission.Reason reason = reasonAgainst(path);
            if (reason != null) {
                return refused(reason, sentence(reason, path));
            }
        }
        return identify(path);
    }

    // "/" and a home directory hold the state directory as a rule: the plainer reason is given
    // first.
    private Admission stateRefusal(Path path) {
        Admission.Reason plain = path.startsWith(stateDirectory) ? null : reasonAgainst(path);
        if (plain != null) {
            return refused(plain, sentence(plain, path));
        }
        return refused(
                Admission.Reason.STATE_DIRECTORY,
                path
                        + " is, holds or lies in "
                        + stateDirectory
                        + ", where this program keeps its state: use the directory of one project.");
    }

    private Admission.@org.jspecify.annotations.Nullable Reason reasonAgainst(Path path) {
        if (path.getNameCount() == 0) {
            return Admission.Reason.FILESYSTEM_ROOT;
        }
        if (homes.contains(path) || Path.of("/home").equals(path.getParent())) {
            return Admission.Reason.HOME_DIRECTORY;
        }
        boolean source =
                SOURCES.stream().map(Path::of).anyMatch(s -> path.startsWith(s) && !path.equals(s));
        boolean system =
                SHARED.contains(path.toString())
                        || (!source
                                && SYSTEM_TREES.stream().map(Path::of).anyMatch(path::startsWith));
        return system ? Admission.Reason.SYSTEM_DIRECTORY : null;
    }

    private static String sentence(Admission.Reason reason, Path path) {
        return switch (reason) {
            case FILESYSTEM_ROOT -> "The root of the file system is no workspace: " + ADVICE;
            case HOME_DIRECTORY -> path + " is a home directory, not a project: " + ADVICE;
            case SYSTEM_DIRECTORY -> path + " belongs to the system or to many: " + ADVICE;
            case MISSING, NOT_A_DIRECTORY, NOT_READABLE, STATE_DIRECTORY ->
                    path + " is no workspace: " + ADVICE;
        };
    }

    private static final String ADVICE = "change to the directory of one project.";

    private static Admission refused(Admission.Reason reason, String sentence) {
        return new Admission.Refused(reason, sentence);
    }

    private static Admission identify(Path path) {
        Sys sys = new Sys();
        int fd = sys.openDirectory(Sys.AT_FDCWD, rawBytes(path));
        if (fd < 0) {
            return refused(
                    Admission.Reason.NOT_READABLE,
                    path + " cannot be read: change its owner or mode.");
        }
        try {
            if (sys.stat(fd, new byte[0]) < 0) {
                return refused(Admission.Reason.NOT_READABLE, path + " cannot be read.");
            }
            Sys.Stat s = sys.found();
            return new Admission.Admitted(
                    new Workspace(path, s.device(), s.inode(), s.uid(), s.gid()));
        } finally {
            sys.close(fd);
        }
    }

    /** The bytes of a path, exact for names that are no text: a file URI carries them. */
    static byte[] rawBytes(Path path) {
        String uri = path.toUri().getRawPath();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < uri.length(); i++) {
            if (uri.charAt(i) == '%') {
                out.write(Integer.parseInt(uri.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                out.write(uri.charAt(i));
            }
        }
        byte[] bytes = out.toByteArray();
        int end = bytes.length;
        while (end > 1 && bytes[end - 1] == '/') {
            end--;
        }
        return java.util.Arrays.copyOf(bytes, end);
    }
}
