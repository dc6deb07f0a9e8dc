package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.tool.git.GitEnvironment;
import ai.hanzo.dev.host.tool.git.GitEnvironment.Author;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.sandbox.CellLimits;
import ai.hanzo.dev.sandbox.CellNetwork;
import ai.hanzo.dev.sandbox.LeaseSpec;
import ai.hanzo.dev.sandbox.LeaseSpec.Access;
import ai.hanzo.dev.sandbox.LeaseSpec.Mount;
import ai.hanzo.dev.sandbox.LeaseSpec.Places;
import ai.hanzo.dev.sandbox.LeaseSpec.WorkspaceMount;
import ai.hanzo.dev.sandbox.Level;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a session's cell is asked for: its private places under the state directory, the tools of
 * the person who started it read-only, and never a file that holds a credential. Immutable.
 */
public final class CellSpecs {
    /** Toolchains below a home directory that commands may read. */
    private static final List<String> TOOLCHAINS =
            List.of(
                    ".cargo/bin",
                    ".rustup",
                    ".nvm",
                    ".sdkman",
                    ".jdks",
                    ".pyenv",
                    ".local/bin",
                    "go");

    /** Caches below a home directory that tools want to write: seen copy-on-write. */
    private static final List<String> CACHES = List.of(".m2/repository", ".npm", ".cargo/registry");

    /** Variables by which tools find a proxy. */
    private static final List<String> PROXIED =
            List.of("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY");

    private static final String LOCAL = "localhost,127.0.0.1,::1";

    /** Directories that every cell sees anyway. */
    private static final List<String> SYSTEM = List.of("/usr", "/bin", "/sbin", "/lib", "/lib64");

    private final Path state;

    /** The state directory, {@code $HANZO_HOME}. */
    public CellSpecs(Path state) {
        this.state = state;
    }

    /** The directory of one session's private places; its cell's home is in it. */
    public Path directory(SessionId session) {
        return state.resolve("sessions").resolve(session.value());
    }

    LeaseSpec of(SessionId session, Epoch epoch, SessionSetup setup) {
        Path directory = directory(session);
        try {
            Files.createDirectories(directory.resolve("home"));
            Files.createDirectories(directory.resolve("spool"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + directory, e);
        }
        Access access = setup.readOnly() ? Access.READ_ONLY : Access.READ_WRITE;
        return new LeaseSpec(
                session,
                epoch,
                new WorkspaceMount(Path.of(setup.workspace()), access),
                Places.in(directory),
                readOnly(setup),
                mounts(below(setup.person().home(), CACHES)),
                environment(setup),
                CellLimits.DEFAULT,
                Level.LANDLOCK,
                LeaseSpec.DEFAULT_ORPHAN_GRACE);
    }

    private List<Mount> readOnly(SessionSetup setup) {
        Set<Path> paths = new LinkedHashSet<>();
        for (String entry : setup.person().path().split(":", -1)) {
            Path path = entry.isEmpty() ? Path.of(".") : Path.of(entry);
            if (path.isAbsolute() && isToolDirectory(path.normalize(), setup)) {
                paths.add(path.normalize());
            }
        }
        paths.addAll(below(setup.person().home(), TOOLCHAINS));
        paths.add(Path.of("/opt"));
        return mounts(paths);
    }

    private static List<Mount> mounts(Collection<Path> paths) {
        return paths.stream().filter(Files::exists).map(Mount::at).toList();
    }

    /** Whether a PATH entry may be shown: not the system's, the home itself or what holds state. */
    private boolean isToolDirectory(Path path, SessionSetup setup) {
        Path home = Path.of(setup.person().home().isEmpty() ? "/" : setup.person().home());
        return SYSTEM.stream().noneMatch(system -> path.startsWith(system))
                && path.getNameCount() > 0
                && !home.startsWith(path)
                && !state.startsWith(path)
                && !path.startsWith(state)
                && Files.isDirectory(path);
    }

    private static List<Path> below(String home, List<String> names) {
        if (home.isEmpty() || !Path.of(home).isAbsolute()) {
            return List.of();
        }
        return names.stream()
                .map(name -> Path.of(home).resolve(name))
                .filter(Files::isDirectory)
                .toList();
    }

    private static Map<String, String> environment(SessionSetup setup) {
        SessionSetup.Person person = setup.person();
        Author author =
                new Author(
                        or(person.gitName(), Author.DEFAULT.name()),
                        or(person.gitEmail(), Author.DEFAULT.email()));
        // Also for git that a command starts.
        Map<String, String> env =
                new LinkedHashMap<>(GitEnvironment.of(author, Path.of(setup.workspace())));
        if (!SessionLoop.rules(setup).network().isEmpty()) {
            String proxy = "http://127.0.0.1:" + CellNetwork.PORT;
            for (String name : PROXIED) {
                env.put(name, proxy);
            }
            env.put("no_proxy", LOCAL);
            env.put("NO_PROXY", LOCAL);
        }
        if (!person.path().isEmpty()) {
            env.put("PATH", person.path());
        }
        if (!person.lang().isEmpty()) {
            env.put("LANG", person.lang());
        }
        return env;
    }

    private static String or(String given, String otherwise) {
        return given.isEmpty() ? otherwise : given;
    }
}
