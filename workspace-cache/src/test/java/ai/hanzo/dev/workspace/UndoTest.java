package ai.hanzo.dev.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UndoTest {

    private static final Instant OLD = Instant.parse("2020-01-02T03:04:05.678901234Z");

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

    private List<String> texts(List<TreePath> paths) {
        return paths.stream().map(TreePath::text).toList();
    }

    private UndoResult.Done done(SnapshotId before, SnapshotId after) {
        return (UndoResult.Done) tree.undo(before, after);
    }

    private List<String> refused(SnapshotId before, SnapshotId after) {
        UndoResult.Refused result = (UndoResult.Refused) tree.undo(before, after);
        assertThat(result.changed()).isEmpty();
        return result.conflicts().stream().map(c -> c.path().text()).toList();
    }

    @Test
    void g2UntrackedAndIgnoredFilesFromBeforeStay() {
        tree.write(".gitignore", "*.log\nnode_modules\n").write("notes.txt", "mine");
        tree.write("x.log", "ignored").write("node_modules/m", "m").write("src/a", "a");
        tree.modified("notes.txt", OLD).modified("x.log", OLD).modified("node_modules/m", OLD);
        Map<String, String> was = tree.all();
        SnapshotId before = tree.id();
        tree.write("src/a", "agent").write("src/b", "agent").write("gen/c/d", "agent");
        SnapshotId after = tree.id();
        UndoResult.Done result = done(before, after);
        assertThat(texts(result.changed()))
                .containsExactly("gen", "gen/c", "gen/c/d", "src/a", "src/b");
        assertThat(result.kept()).isEmpty();
        assertThat(tree.all()).isEqualTo(was);
    }

    @Test
    void bytesModesTimesLinksAndEmptyDirectoriesComeBack() {
        tree.write("a", "1").write("b", "2").write("run.sh", "3").mode("run.sh", "rwxr-x---");
        tree.write("d/e/f", "4").directory("empty").link("l", "a").link("dangling", "/nowhere");
        tree.mode("d/e", "rwxr-xr-t".replace('t', 'x')).mode("empty", "rwx------");
        for (String name : List.of("a", "b", "run.sh", "d/e/f")) {
            tree.modified(name, OLD);
        }
        Map<String, String> was = tree.all();
        SnapshotId before = tree.id();
        tree.write("a", "one").delete("b").mode("run.sh", "rw-rw-rw-").delete("d");
        tree.delete("empty").delete("l").link("l", "/etc/passwd").delete("dangling");
        SnapshotId after = tree.id();
        done(before, after);
        assertThat(tree.all()).isEqualTo(was);
        assertThat(tree.id().isSameContent(before)).isTrue();
    }

    @Test
    void aPathThatChangedItsTypeComesBack() {
        tree.write("file", "1").write("dir/in/x", "2").link("link", "file");
        tree.modified("file", OLD).modified("dir/in/x", OLD);
        Map<String, String> was = tree.all();
        SnapshotId before = tree.id();
        tree.delete("file").write("file/now/dir", "3").delete("dir").write("dir", "4");
        tree.delete("link").write("link", "5");
        SnapshotId after = tree.id();
        done(before, after);
        assertThat(tree.all()).isEqualTo(was);
    }

    @Test
    void aFileThatSomeoneChangedSinceIsAConflictAndNothingIsTouched() {
        tree.write("a", "1").write("b", "2").write("c", "3");
        SnapshotId before = tree.id();
        tree.write("a", "agent").write("b", "agent").delete("c").write("new", "agent");
        SnapshotId after = tree.id();
        tree.write("b", "user").write("c", "user").write("new", "user");
        Map<String, String> was = tree.all();
        UndoPlan plan = tree.plan(before, after);
        assertThat(plan.steps())
                .containsExactly(new UndoPlan.Step(TreePath.of("a"), UndoPlan.Act.RESTORE));
        assertThat(refused(before, after)).containsExactly("b", "c", "new");
        assertThat(tree.all()).isEqualTo(was);
    }

    @Test
    void whatTheUserPutBackByHandIsNoConflict() {
        tree.write("a", "1").write("b", "2");
        SnapshotId before = tree.id();
        tree.write("a", "agent").delete("b").write("new", "agent");
        SnapshotId after = tree.id();
        tree.write("a", "1").delete("new");
        assertThat(tree.plan(before, after).steps())
                .containsExactly(new UndoPlan.Step(TreePath.of("b"), UndoPlan.Act.CREATE));
        assertThat(texts(done(before, after).changed())).containsExactly("b");
        assertThat(tree.plan(before, after).steps()).isEmpty();
    }

    @Test
    void aDirectoryOfTheAgentsThatHoldsAUsersFileIsKept() {
        SnapshotId before = tree.id();
        tree.write("made/a", "agent").write("made/deep/b", "agent");
        SnapshotId after = tree.id();
        tree.write("made/mine", "user");
        UndoResult.Done result = done(before, after);
        assertThat(texts(result.kept())).containsExactly("made");
        assertThat(tree.all().keySet()).containsExactly("", "made", "made/mine");
    }

    @Test
    void aUsersFileInADirectoryThatWasAFileIsAConflict() {
        tree.write("x", "file");
        SnapshotId before = tree.id();
        tree.delete("x").write("x/a", "agent");
        SnapshotId after = tree.id();
        tree.write("x/mine", "user");
        assertThat(refused(before, after)).containsExactly("x/mine");
    }

    @Test
    void onlyWhatLiesBetweenTheTwoIsUndone() {
        tree.write("a", "0").write("b", "0");
        SnapshotId first = tree.id();
        tree.write("a", "1");
        SnapshotId second = tree.id();
        tree.write("b", "1");
        SnapshotId third = tree.id();
        done(second, third);
        assertThat(tree.read("a") + tree.read("b")).isEqualTo("10");
        done(first, tree.id());
        assertThat(tree.read("a") + tree.read("b")).isEqualTo("00");
    }

    @Test
    void theRepositoryItselfIsLeftAlone() {
        tree.write(".git/HEAD", "ref: main").write(".git/index", "i").write("a", "1");
        SnapshotId before = tree.id();
        tree.write(".git/HEAD", "ref: other").write(".git/objects/ab/c", "o").write("a", "2");
        SnapshotId after = tree.id();
        UndoPlan plan = tree.plan(before, after);
        assertThat(texts(plan.left())).containsExactly(".git");
        done(before, after);
        assertThat(tree.read(".git/HEAD")).isEqualTo("ref: other");
        assertThat(tree.read("a")).isEqualTo("1");
    }

    @Test
    void damagedBytesAreFoundBeforeTheFirstWrite() throws IOException {
        tree.write("a", "1").write("b", "2");
        SnapshotId before = tree.id();
        tree.write("a", "x").write("b", "y");
        SnapshotId after = tree.id();
        String hex = Digest.of("2".getBytes(java.nio.charset.StandardCharsets.UTF_8)).hex();
        Path blob = base.resolve("store/objects/" + hex.substring(0, 2) + "/" + hex.substring(2));
        Files.delete(blob);
        Map<String, String> was = tree.all();
        assertThatThrownBy(() -> tree.undo(before, after))
                .isInstanceOfSatisfying(
                        WorkspaceException.class,
                        e -> assertThat(e.code()).isEqualTo(WorkspaceException.Code.BLOB_MISSING));
        assertThat(tree.all()).isEqualTo(was);
    }

    @Test
    void bigFilesOfTheAgentGoAndBigFilesOfTheUserAreLeft() throws IOException {
        big("mine.bin", 65);
        tree.write("grew", "small");
        SnapshotId before = tree.id();
        big("theirs.bin", 65);
        big("grew", 65);
        big("mine.bin", 66);
        SnapshotId after = tree.id();
        UndoPlan plan = tree.plan(before, after);
        assertThat(texts(plan.left())).containsExactly("mine.bin");
        assertThat(plan.steps())
                .containsExactly(
                        new UndoPlan.Step(TreePath.of("grew"), UndoPlan.Act.RESTORE),
                        new UndoPlan.Step(TreePath.of("theirs.bin"), UndoPlan.Act.DELETE));
        done(before, after);
        assertThat(tree.read("grew")).isEqualTo("small");
        assertThat(tree.exists("theirs.bin")).isFalse();
        assertThat(Files.size(tree.path.resolve("mine.bin"))).isEqualTo(66L << 20);
    }

    private void big(String name, int mebibytes) throws IOException {
        try (var file = new java.io.RandomAccessFile(tree.path.resolve(name).toFile(), "rw")) {
            file.setLength((long) mebibytes << 20);
        }
    }

    @Test
    void aDirectorySwappedForALinkLeadsNowhere() throws IOException {
        Path outside = Files.createDirectories(base.resolve("outside"));
        Files.writeString(outside.resolve("a"), "agent");
        Files.writeString(outside.resolve("keep"), "secret");
        tree.write("d/a", "1").write("d/gone", "2");
        SnapshotId before = tree.id();
        tree.write("d/a", "agent").delete("d/gone").write("d/keep", "secret");
        SnapshotId after = tree.id();
        Map<String, String> was = Tree.all(outside);
        Files.move(tree.path.resolve("d"), base.resolve("elsewhere"));
        tree.link("d", outside.toString());
        assertThat(refused(before, after)).containsExactly("d/a");
        assertThat(Tree.all(outside)).isEqualTo(was);
    }

    @Test
    void theOwnerStaysTheOwner() throws IOException {
        assumeTrue(Sys.isRoot(), "only root can give files to another uid");
        tree.write("a", "1").write("b", "2").write("d/c", "3");
        for (String name : List.of(".", "a", "b", "d", "d/c")) {
            Files.setAttribute(tree.path.resolve(name), "unix:uid", 65534);
            Files.setAttribute(tree.path.resolve(name), "unix:gid", 65534);
        }
        SnapshotId before = tree.id();
        tree.write("a", "agent").delete("b").delete("d");
        SnapshotId after = tree.id();
        done(before, after);
        for (String name : List.of("a", "b", "d", "d/c")) {
            assertThat(Files.getAttribute(tree.path.resolve(name), "unix:uid"))
                    .as(name)
                    .isEqualTo(65534);
        }
    }
}
