package ai.hanzo.dev.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class SnapshotPropertyTest {

    @Property
    void readGivesWhatWasWritten(@ForAll("directories") Node directory) {
        DirectoryBlob.Written written = DirectoryBlob.write(directory);
        Digest record = Digest.of(written.blob());
        Node read = DirectoryBlob.read(directory.name, written.blob(), record);
        assertThat(read.hasSameEntries(directory)).isTrue();
        assertThat(read.hash()).isEqualTo(written.merkle());
        assertThat(DirectoryBlob.write(read).blob()).isEqualTo(written.blob());
    }

    @Property(tries = 3000)
    void anyBytesGiveADirectoryOrTheOneException(
            @ForAll("directories") Node directory, @ForAll int at, @ForAll byte value) {
        byte[] blob = DirectoryBlob.write(directory).blob();
        blob[Math.floorMod(at, blob.length)] = value;
        readOrRefuse(blob);
        readOrRefuse(Arrays.copyOf(blob, Math.floorMod(at, blob.length)));
    }

    @Property
    void garbageIsRefused(@ForAll byte[] blob) {
        readOrRefuse(blob);
    }

    private static void readOrRefuse(byte[] blob) {
        try {
            Node read = DirectoryBlob.read(new byte[0], blob, Digest.of(blob));
            assertThat(DirectoryBlob.write(read).blob()).isEqualTo(blob);
        } catch (WorkspaceException e) {
            assertThat(e.code()).isEqualTo(WorkspaceException.Code.SNAPSHOT_UNREADABLE);
        }
    }

    @Property
    void pathsKeepTheirBytesAndOrderDirectoriesBeforeTheirContent(
            @ForAll("names") List<byte[]> names) {
        TreePath path = TreePath.ROOT;
        for (byte[] name : names) {
            TreePath child = path.child(name);
            assertThat(child.parent()).isEqualTo(path);
            assertThat(child.name()).isEqualTo(name);
            assertThat(child).isGreaterThan(path);
            assertThat(child.isIn(path)).isTrue();
            assertThat(TreePath.of(child.toBytes())).isEqualTo(child);
            assertThat(child.text()).matches("[^\\p{Cntrl}]+");
            path = child;
        }
        assertThat(path.parts()).hasSize(names.size());
    }

    @Provide
    Arbitrary<List<byte[]>> names() {
        return name().list().ofMaxSize(6);
    }

    private static Arbitrary<byte[]> name() {
        return Arbitraries.bytes()
                .filter(b -> b != 0 && b != '/')
                .array(byte[].class)
                .ofMinSize(1)
                .ofMaxSize(20)
                .filter(TreePath::isName);
    }

    @Provide
    Arbitrary<Node> directories() {
        Arbitrary<Byte> type =
                Arbitraries.of(Node.FILE, Node.DIRECTORY, Node.LINK, Node.NOT_COVERED);
        Arbitrary<Node> entry =
                Combinators.combine(name(), type, Arbitraries.integers().between(0, 07777), longs())
                        .as(SnapshotPropertyTest::entry);
        return entry.list()
                .ofMaxSize(8)
                .uniqueElements(n -> TreePath.render(n.name))
                .map(SnapshotPropertyTest::directory);
    }

    private static Arbitrary<Long> longs() {
        return Arbitraries.longs().between(0, Long.MAX_VALUE);
    }

    private static Node entry(byte[] name, byte type, int mode, long number) {
        Node node = new Node(name, type);
        node.mode = mode;
        node.size = number;
        node.mtime = -number;
        if (node.isFile() || node.isDirectory()) {
            node.hash = Digest.of(name);
        }
        if (node.isDirectory()) {
            node.record = Digest.of(Long.toString(number).getBytes(StandardCharsets.UTF_8));
        }
        if (node.isLink()) {
            node.target = name;
        }
        if (!node.isCovered()) {
            node.cause = Checkpoint.Cause.TOO_BIG;
            node.token = number;
        }
        return node;
    }

    private static Node directory(List<Node> entries) {
        Node directory = new Node(new byte[0], Node.DIRECTORY);
        directory.children =
                entries.stream().sorted((a, b) -> Arrays.compareUnsigned(a.name, b.name)).toList();
        directory.ignored =
                entries.stream()
                        .limit(2)
                        .map(n -> new Node.Ignored(TreePath.ROOT.child(n.name), n.size))
                        .toList();
        return directory;
    }
}
