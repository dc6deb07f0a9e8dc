package ai.hanzo.dev.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointsTest {

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

    private List<String> changes(SnapshotId from, SnapshotId to) {
        return tree.checkpoints.diff(from, to).changes().stream()
                .map(c -> c.kind() + " " + c.path())
                .toList();
    }

    private String content(SnapshotId from, SnapshotId to, boolean isBefore) {
        Diff.Change change = tree.checkpoints.diff(from, to).changes().getFirst();
        Diff.Entry entry = (isBefore ? change.before() : change.after()).orElseThrow();
        return new String(tree.checkpoints.content(entry), StandardCharsets.UTF_8);
    }

    @Test
    void g1AnUnchangedTreeIsNotRead() {
        for (int i = 0; i < 300; i++) {
            tree.write("d" + i % 20 + "/f" + i, "text " + i);
        }
        Checkpoint first = tree.take();
        assertThat(first.files()).isEqualTo(300);
        assertThat(first.hashedFiles()).isEqualTo(300);
        Checkpoint second = tree.take();
        assertThat(second).isEqualTo(new Checkpoint(first.id(), 300, 0, 0, List.of(), 0));
    }

    @Test
    void g1OneChangedFileCostsOneReadAndItsDirectories() {
        for (int i = 0; i < 2000; i++) {
            tree.write("d" + i % 50 + "/e/f" + i, "text " + i);
        }
        tree.take();
        tree.write("d7/e/f7", "changed");
        Checkpoint second = tree.take();
        assertThat(second.hashedFiles()).isEqualTo(1);
        assertThat(second.newBytes()).isLessThan(20_000);
    }

    @Test
    void aFileOfTheScansOwnTickIsReadAgain() {
        tree.write("f", "a");
        tree.checkpoints.close();
        tree.checkpoints = tree.at(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
        assertThat(tree.take().hashedFiles()).isEqualTo(1);
        assertThat(tree.take().hashedFiles()).isEqualTo(1);
        tree.reopen();
        assertThat(tree.take().hashedFiles()).as("still from the racy entry").isEqualTo(1);
        assertThat(tree.take().hashedFiles()).isZero();
    }

    @Test
    void aChangeWithSizeAndTimePutBackIsSeen() {
        tree.write("f", "aaaa");
        SnapshotId before = tree.id();
        Instant time = modified("f");
        tree.write("f", "bbbb").modified("f", time);
        SnapshotId after = tree.id();
        assertThat(changes(before, after)).containsExactly("MODIFIED f");
        assertThat(content(before, after, true)).isEqualTo("aaaa");
        assertThat(content(before, after, false)).isEqualTo("bbbb");
    }

    private Instant modified(String name) {
        try {
            return Files.getLastModifiedTime(tree.path.resolve(name)).toInstant();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void theIndexSurvivesARestart() {
        tree.write("a/b", "x").write("c", "y").link("l", "c").directory("empty");
        SnapshotId id = tree.id();
        tree.reopen();
        Checkpoint again = tree.take();
        assertThat(again.id()).isEqualTo(id);
        assertThat(again.hashedFiles()).isZero();
    }

    @Test
    void aDamagedOrMissingIndexCostsReadingAndNothingElse() throws IOException {
        tree.write("a/b", "x").write("c", "y");
        SnapshotId id = tree.id();
        Path index = onlyFile(base.resolve("index"));
        byte[] sound = Files.readAllBytes(index);
        for (int at = 0; at < sound.length; at += 7) {
            byte[] broken = sound.clone();
            broken[at] ^= 0x41;
            Files.write(index, broken);
            tree.reopen();
            assertThat(tree.id()).as("byte %d", at).isEqualTo(id);
        }
        Files.write(index, java.util.Arrays.copyOf(sound, sound.length / 2));
        tree.reopen();
        assertThat(tree.take().hashedFiles()).isEqualTo(2);
        Files.delete(index);
        tree.reopen();
        assertThat(tree.take().hashedFiles()).isEqualTo(2);
    }

    @Test
    void anIndexOfAnotherStoreIsNotTrusted() throws IOException {
        tree.write("a", "x");
        tree.take();
        Files.writeString(base.resolve("store/id.new"), "another");
        Files.move(
                base.resolve("store/id.new"),
                base.resolve("store/id"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        tree.checkpoints.close();
        tree.checkpoints =
                new Checkpoints(new DiskBlobStore(base.resolve("store")), base.resolve("index"), 1);
        assertThat(tree.take().hashedFiles()).isEqualTo(1);
    }

    private static Path onlyFile(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.reduce((a, b) -> null).orElseThrow();
        }
    }

    @Test
    void everyKindOfChangeIsNamed() {
        tree.write("mod", "1").write("gone", "2").write("chmod", "3").write("type", "4");
        tree.write("dir/inner", "5").link("link", "mod").directory("old").write("same", "6");
        SnapshotId before = tree.id();
        tree.write("mod", "1b").delete("gone").mode("chmod", "rwx------").delete("type");
        tree.write("type/in", "7").delete("dir").write("dir", "8").delete("link");
        tree.link("link", "same").delete("old").write("new/a", "9").directory("new/b");
        SnapshotId after = tree.id();
        assertThat(changes(before, after))
                .containsExactly(
                        "MODE chmod",
                        "TYPE dir",
                        "REMOVED dir/inner",
                        "REMOVED gone",
                        "MODIFIED link",
                        "MODIFIED mod",
                        "ADDED new",
                        "ADDED new/a",
                        "ADDED new/b",
                        "REMOVED old",
                        "TYPE type",
                        "ADDED type/in");
        assertThat(changes(after, before)).hasSize(12);
        assertThat(changes(after, after)).isEmpty();
        assertThat(tree.checkpoints.diff(before, after).changes().get(4).after().orElseThrow())
                .satisfies(e -> assertThat(e.target()).contains("same"));
    }

    @Test
    void aTouchedFileChangesTheRecordAndNotTheRoot() {
        tree.write("a/f", "x");
        SnapshotId before = tree.id();
        tree.modified("a/f", Instant.parse("2001-02-03T04:05:06.789Z"));
        SnapshotId after = tree.id();
        assertThat(after.isSameContent(before)).isTrue();
        assertThat(after).isNotEqualTo(before);
        assertThat(changes(before, after)).isEmpty();
        assertThat(SnapshotId.parse(after.text())).isEqualTo(after);
    }

    @Test
    void theRootFollowsFromTheContentAlone() throws IOException {
        tree.write("a/f", "x").link("l", "a").mode("a/f", "rw-r-----");
        SnapshotId first = tree.id();
        Path other = base.resolve("other");
        try (Tree copy = new Tree(other)) {
            copy.link("l", "a").write("a/f", "x").mode("a/f", "rw-r-----");
            assertThat(copy.id().isSameContent(first)).isTrue();
            copy.mode("a/f", "rw-r--r--");
            assertThat(copy.id().isSameContent(first)).isFalse();
        }
    }

    @Test
    void aDamagedBlobIsANamedError() throws IOException {
        tree.write("f", "one");
        SnapshotId before = tree.id();
        tree.write("f", "two");
        SnapshotId after = tree.id();
        Diff.Entry old =
                tree.checkpoints.diff(before, after).changes().getFirst().before().orElseThrow();
        Path blob = blob(old.hash().orElseThrow());
        assertThat(blob.toFile().setWritable(true)).isTrue();
        Files.writeString(blob, "oNe");
        assertThatThrownBy(() -> tree.checkpoints.content(old))
                .isInstanceOfSatisfying(
                        WorkspaceException.class,
                        e -> assertThat(e.code()).isEqualTo(WorkspaceException.Code.BLOB_CORRUPT));
        Files.delete(blob);
        assertThatThrownBy(() -> tree.checkpoints.content(old))
                .isInstanceOfSatisfying(
                        WorkspaceException.class,
                        e -> assertThat(e.code()).isEqualTo(WorkspaceException.Code.BLOB_MISSING));
        assertThatThrownBy(() ->
                        tree.checkpoints.diff(new SnapshotId(after.root(), before.record()), after))
                .isInstanceOfSatisfying(
                        WorkspaceException.class,
                        e ->
                                assertThat(e.code())
                                        .isEqualTo(WorkspaceException.Code.SNAPSHOT_UNREADABLE));
    }

    private Path blob(Digest digest) {
        return base.resolve("store/objects")
                .resolve(digest.hex().substring(0, 2))
                .resolve(digest.hex().substring(2));
    }

    @Test
    void ignoredTreesAreWatchedButNotCovered() {
        tree.write(".gitignore", "node_modules/\n*.log\n!keep.log\n/build\n");
        tree.write("node_modules/a/b.js", "1").write("x.log", "2").write("keep.log", "3");
        tree.write("build/o", "4").write("src/build/s", "5").write("src/.gitignore", "*.tmp\n");
        tree.write("src/a.tmp", "6").write(".git/HEAD", "ref").write("src/sub/.git", "gitdir: x");
        Checkpoint first = tree.checkpoints.begin(tree.workspace());
        assertThat(first.files()).as(".gitignore twice, keep.log, src/build/s").isEqualTo(4);
        tree.write("node_modules/a/b.js", "changed").write("src/a.tmp", "too");
        tree.write(".git/HEAD", "other").write("keep.log", "new");
        SnapshotId after = tree.id();
        Diff diff = tree.checkpoints.diff(first.id(), after);
        assertThat(changes(first.id(), after)).containsExactly("MODIFIED keep.log");
        assertThat(diff.ignored().stream().map(TreePath::text))
                .containsExactlyInAnyOrder("node_modules", ".git", "src/a.tmp");
    }

    @Test
    void anAgentCannotHideItsTracksByIgnoringThem() {
        tree.write("src/a", "1").write("src/b/c", "2").write("top", "3");
        SnapshotId before = tree.checkpoints.begin(tree.workspace()).id();
        tree.write(".gitignore", "*\n").write("src/a", "changed").delete("src/b/c");
        tree.write("src/new", "x");
        SnapshotId after = tree.id();
        assertThat(changes(before, after))
                .as("the .gitignore ignores itself, being new")
                .containsExactly("MODIFIED src/a", "REMOVED src/b/c");
        assertThat(tree.checkpoints.begin(tree.workspace()).files())
                .as("a new session decides anew")
                .isZero();
    }

    @Test
    void bigFilesAreNamedAndNotStored() throws IOException {
        Path big = tree.path.resolve("big.bin");
        try (var file = new java.io.RandomAccessFile(big.toFile(), "rw")) {
            file.setLength(64L * 1024 * 1024 + 1);
        }
        try (var file = new java.io.RandomAccessFile(tree.path.resolve("fits").toFile(), "rw")) {
            file.setLength(64L * 1024 * 1024);
        }
        Checkpoint first = tree.take();
        assertThat(first.files()).isEqualTo(1);
        assertThat(first.notCovered())
                .containsExactly(
                        new Checkpoint.NotCovered(
                                TreePath.of("big.bin"),
                                Checkpoint.Cause.TOO_BIG,
                                64L * 1024 * 1024 + 1));
        Files.setLastModifiedTime(big, FileTime.fromMillis(1000));
        assertThat(changes(first.id(), tree.id())).containsExactly("MODIFIED big.bin");
    }

    @Test
    void anotherDirectoryInItsPlaceIsRefused() throws IOException {
        Workspace workspace = tree.workspace();
        Files.move(tree.path, base.resolve("moved"));
        Files.createDirectory(tree.path);
        assertThatThrownBy(() -> tree.checkpoints.take(workspace))
                .isInstanceOfSatisfying(
                        WorkspaceException.class,
                        e ->
                                assertThat(e.code())
                                        .isEqualTo(WorkspaceException.Code.WORKSPACE_MOVED));
        Files.delete(tree.path);
        Files.createSymbolicLink(tree.path, base.resolve("moved"));
        assertThatThrownBy(() -> tree.checkpoints.take(workspace))
                .isInstanceOf(WorkspaceException.class);
    }
}
