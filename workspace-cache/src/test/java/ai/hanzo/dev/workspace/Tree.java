package ai.hanzo.dev.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A workspace with its store, for tests. */
final class Tree implements AutoCloseable {

    final Path base;
    final Path path;
    final DiskBlobStore store;
    Checkpoints checkpoints;

    Tree(Path base) {
        this.base = base;
        this.path = make(base.resolve("work"));
        this.store = new DiskBlobStore(base.resolve("store"));
        this.checkpoints = later();
    }

    private static Path make(Path path) {
        try {
            return Files.createDirectories(path).toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A fresh instance whose clock is ahead, so that all files have settled. */
    Checkpoints later() {
        return at(Clock.offset(Clock.systemUTC(), Duration.ofSeconds(10)));
    }

    Checkpoints at(Clock clock) {
        return new Checkpoints(store, base.resolve("index"), 2, clock);
    }

    void reopen() {
        checkpoints.close();
        checkpoints = later();
    }

    Workspace workspace() {
        Workspaces rules = new Workspaces(base.resolve("state"), Set.of());
        Admission admission = rules.admit(path, Set.of(path));
        if (admission instanceof Admission.Admitted a) {
            return a.workspace();
        }
        throw new IllegalStateException(admission.toString());
    }

    Checkpoint take() {
        return checkpoints.take(workspace());
    }

    SnapshotId id() {
        return take().id();
    }

    UndoPlan plan(SnapshotId before, SnapshotId after) {
        return checkpoints.planUndo(workspace(), before, after);
    }

    UndoResult undo(SnapshotId before, SnapshotId after) {
        return checkpoints.undo(plan(before, after));
    }

    Tree write(String name, String text) {
        return write(name, text.getBytes(StandardCharsets.UTF_8));
    }

    Tree write(String name, byte[] data) {
        try {
            Path file = path.resolve(name);
            Files.createDirectories(file.getParent());
            Files.write(file, data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    Tree directory(String name) {
        make(path.resolve(name));
        return this;
    }

    Tree link(String name, String target) {
        try {
            Files.createSymbolicLink(path.resolve(name), Path.of(target));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    Tree delete(String name) {
        try {
            Files.walkFileTree(
                    path.resolve(name),
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path f, BasicFileAttributes a)
                                throws IOException {
                            Files.delete(f);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(Path d, IOException e)
                                throws IOException {
                            Files.delete(d);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    Tree mode(String name, String permissions) {
        try {
            Files.setPosixFilePermissions(
                    path.resolve(name), PosixFilePermissions.fromString(permissions));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    Tree modified(String name, Instant time) {
        try {
            Files.setLastModifiedTime(path.resolve(name), FileTime.from(time));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    String read(String name) {
        try {
            return Files.readString(path.resolve(name), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean exists(String name) {
        return Files.exists(path.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    /** Every path with type, permissions, modification time and content. */
    Map<String, String> all() {
        return all(path);
    }

    static Map<String, String> all(Path root) {
        Map<String, String> all = new TreeMap<>();
        try (var paths = Files.walk(root)) {
            for (Path p : (Iterable<Path>) paths::iterator) {
                all.put(root.relativize(p).toString(), describe(p));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    private static String describe(Path p) throws IOException {
        Map<String, Object> a =
                Files.readAttributes(p, "unix:mode,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
        String what = String.format("%o ", (Integer) a.get("mode"));
        if (Files.isSymbolicLink(p)) {
            return what + "-> " + Files.readSymbolicLink(p);
        }
        if (Files.isDirectory(p)) {
            return what; // the time of a directory moves with every change in it
        }
        String content =
                Files.isRegularFile(p) ? Digest.of(Files.readAllBytes(p)).hex() : "special";
        return what + a.get("lastModifiedTime") + " " + content;
    }

    @Override
    public void close() {
        checkpoints.close();
    }
}
