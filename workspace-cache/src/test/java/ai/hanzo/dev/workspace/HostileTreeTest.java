package ai.hanzo.dev.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a command in a cell may leave in the tree, or do to it while it is read. */
@Timeout(300)
class HostileTreeTest {

    @TempDir Path base;
    private Tree tree;

    @BeforeEach
    void open() {
        tree = new Tree(base);
    }

    @AfterEach
    void close() {
        tree.close();
    }

    private List<String> changed(SnapshotId from, SnapshotId to) {
        return tree.checkpoints.diff(from, to).changes().stream()
                .map(c -> c.path().text())
                .toList();
    }

    private static void run(String... argv) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(argv).inheritIO().start();
        assertThat(process.waitFor()).as("%s", Arrays.asList(argv)).isZero();
    }

    @Test
    void aFifoNeitherHoldsTheScanUpNorTheUndo() throws Exception {
        SnapshotId before = tree.id();
        run("mkfifo", tree.path.resolve("pipe").toString());
        tree.write("f", "x");
        Checkpoint after = tree.take();
        assertThat(after.notCovered())
                .containsExactly(
                        new Checkpoint.NotCovered(
                                TreePath.of("pipe"), Checkpoint.Cause.SPECIAL, 0));
        assertThat(tree.undo(before, after.id())).isInstanceOf(UndoResult.Done.class);
        assertThat(tree.all().keySet()).containsExactly("");
    }

    @Test
    void aDeviceIsNotRead() throws Exception {
        // Anyone may make a whiteout (Linux 5.8), only root another device.
        run("mknod", tree.path.resolve("whiteout").toString(), "c", "0", "0");
        if (Sys.isRoot()) {
            run("mknod", tree.path.resolve("zero").toString(), "c", "1", "5");
        }
        assertThat(tree.take().notCoveredCount()).isEqualTo(Sys.isRoot() ? 2 : 1);
    }

    @Test
    void linksAreKeptAsLinks() throws IOException {
        Path outside = Files.createDirectories(base.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "s3cret");
        tree.link("file", "/etc/passwd").link("dir", outside.toString()).link("self", ".");
        tree.link("loop", "loop").link("up", "../..");
        Checkpoint taken = tree.take();
        assertThat(taken.files()).isZero();
        assertThat(tree.store.has(Digest.of("s3cret".getBytes(StandardCharsets.UTF_8)))).isFalse();
        tree.delete("dir").link("dir", "elsewhere");
        assertThat(tree.undo(taken.id(), tree.id())).isInstanceOf(UndoResult.Done.class);
        assertThat(Files.readSymbolicLink(tree.path.resolve("dir"))).isEqualTo(outside);
    }

    @Test
    void namesAreBytes() {
        byte[] latin = {'c', 'a', 'f', (byte) 0xe9};
        byte[] control = {'a', '\n', 27, '[', '3', '1', 'm'};
        byte[] longest = new byte[255];
        Arrays.fill(longest, (byte) 0xff);
        byte[] turned = "\u202Etxt".getBytes(StandardCharsets.UTF_8);
        SnapshotId before = tree.id();
        try (Root root = Root.open(tree.workspace())) {
            for (byte[] name : List.of(latin, control, longest, turned)) {
                int fd = root.sys.create(root.fd(), name, 0600);
                assertThat(fd).isPositive();
                root.sys.write(fd, name, name.length);
                root.sys.close(fd);
            }
        }
        SnapshotId after = tree.id();
        assertThat(changed(before, after))
                .containsExactly(
                        "a\\x0a\\x1b[31m", "caf\\xe9", "\\xe2\\x80\\xaetxt", "\\xff".repeat(255));
        tree.undo(before, after);
        assertThat(tree.all().keySet()).containsExactly("");
        tree.undo(after, tree.id());
        assertThat(tree.id().isSameContent(after)).isTrue();
    }

    @Test
    void aDeepTreeIsReadAsFarAsTheBoundAndUndone() throws Exception {
        SnapshotId before = tree.id();
        byte[] name = new byte[250];
        Arrays.fill(name, (byte) 'd');
        makeDeep(name, 600, 256);
        Checkpoint deep = tree.take();
        assertThat(deep.files()).isEqualTo(1);
        assertThat(deep.notCovered())
                .singleElement()
                .satisfies(n -> assertThat(n.cause()).isEqualTo(Checkpoint.Cause.TOO_DEEP));
        UndoResult.Done undone = (UndoResult.Done) tree.undo(before, deep.id());
        assertThat(undone.changed()).as("the file").hasSize(1);
        assertThat(undone.kept()).as("directories that hold what is not covered").hasSize(511);
        // Such paths are longer than PATH_MAX: java.nio cannot take them away.
        run("rm", "-rf", tree.path.toString());
    }

    private void makeDeep(byte[] name, int levels, int fileAt) {
        Sys sys = new Sys();
        try (Root root = Root.open(tree.workspace())) {
            int fd = sys.openDirectory(root.fd(), new byte[] {'.'});
            for (int depth = 0; depth < levels; depth++) {
                assertThat(sys.makeDirectory(fd, name, 0700)).isZero();
                int next = sys.openDirectory(fd, name);
                if (depth == fileAt) {
                    int file = sys.create(fd, new byte[] {'f'}, 0600);
                    sys.write(file, name, 5);
                    sys.close(file);
                }
                sys.close(fd);
                fd = next;
            }
            sys.close(fd);
        }
    }

    @Test
    void anUnreadableFileIsNamed() throws Exception {
        tree.write("f", "x").write("d/g", "y").mode("f", "---------").mode("d", "---------");
        Checkpoint taken = WithoutCapabilities.call(tree::take);
        tree.mode("d", "rwx------");
        assertThat(taken.notCovered().stream().map(Checkpoint.NotCovered::cause))
                .containsExactly(Checkpoint.Cause.UNREADABLE, Checkpoint.Cause.UNREADABLE);
    }

    @Test
    void aHostileIgnoreFileCostsLittle() {
        tree.write(".gitignore", ("*a".repeat(200) + "b\n").repeat(500));
        tree.write("a".repeat(250), "x");
        tree.write("sub/.gitignore", "[\n[a\n\\\n**/**/**/x\n!\n/\n  \n#\n".repeat(50));
        tree.write("sub/f", "y");
        assertThat(tree.checkpoints.begin(tree.workspace()).files()).isEqualTo(4);
    }

    @Test
    void e3DirectoriesSwappedInARaceNeverLeadOutside() throws Exception {
        Path outside = Files.createDirectories(base.resolve("outside/d"));
        Files.writeString(outside.resolve("f"), "s3cret");
        byte[] secret = "s3cret".getBytes(StandardCharsets.UTF_8);
        tree.write("d/f", "inside").write("spare/x", "1");
        SnapshotId before = tree.id();
        tree.write("d/f", "agent");
        SnapshotId after = tree.id();
        AtomicBoolean stop = new AtomicBoolean();
        Thread swapper = Thread.ofPlatform().start(() -> swap(stop, outside));
        try {
            for (int i = 0; i < 300; i++) {
                tree.take();
                assertThat(tree.undo(before, after)).isNotNull();
                assertThat(tree.undo(after, before)).isNotNull();
            }
        } finally {
            stop.set(true);
            swapper.join();
        }
        assertThat(tree.store.has(Digest.of(secret))).isFalse();
        assertThat(Files.readAllBytes(outside.resolve("f"))).isEqualTo(secret);
        try (var files = Files.list(outside)) {
            assertThat(files).hasSize(1);
        }
    }

    private void swap(AtomicBoolean stop, Path outside) {
        byte[] d = {'d'};
        byte[] link = {'l'};
        Sys sys = new Sys();
        int fd = sys.openDirectory(Sys.AT_FDCWD, Sys.bytes(tree.path));
        sys.symlink(Sys.bytes(outside), fd, link);
        while (!stop.get()) {
            sys.exchange(fd, d, link);
        }
        sys.close(fd);
    }

    @Test
    void filesThatChangeWhileTheyAreReadGiveSomeStateOfTheirs() throws Exception {
        for (int i = 0; i < 50; i++) {
            tree.write("f" + i, "0".repeat(5000));
        }
        AtomicBoolean stop = new AtomicBoolean();
        Thread writer = Thread.ofPlatform().start(() -> rewrite(stop));
        SnapshotId first = tree.id();
        try {
            for (int i = 0; i < 50; i++) {
                tree.checkpoints.diff(first, tree.id());
            }
        } finally {
            stop.set(true);
            writer.join();
        }
        SnapshotId last = tree.id();
        tree.reopen();
        assertThat(tree.id()).isEqualTo(last);
        for (int i = 0; i < 50; i++) {
            byte[] now = Files.readAllBytes(tree.path.resolve("f" + i));
            assertThat(tree.store.has(Digest.of(now))).isTrue();
        }
    }

    private void rewrite(AtomicBoolean stop) {
        for (int n = 0; !stop.get(); n++) {
            String name = "f" + n % 50;
            if (n % 3 == 0) {
                tree.delete(name);
            }
            tree.write(name, String.valueOf(n % 10).repeat(5000));
        }
    }
}
