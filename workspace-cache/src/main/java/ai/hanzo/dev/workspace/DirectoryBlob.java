package ai.hanzo.dev.workspace;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One directory of a snapshot as a blob, big-endian. The tree part alone makes the Merkle hash; the
 * side part holds what two equal trees may differ in.
 *
 * <pre>
 *   u32 length of the tree part
 *   tree part   "HZT1"  u32 n   n × { u8 type  u16 mode  u64 size  u16 length, name
 *                                     f: 32 hash | d: 32 Merkle hash | l: u16 length, target | n: u8 cause }
 *   side part   "HZS1"          n × { i64 mtime, ns   d: 32 record | n: i64 token }
 *               u32 m           m × { u16 length, name  i64 token }            ignored entries
 * </pre>
 *
 * Entries are ordered by the unsigned bytes of their names.
 */
final class DirectoryBlob {

    private static final int TREE = 0x485a5431; // HZT1
    private static final int SIDE = 0x485a5331; // HZS1

    /** A directory as it is written. */
    static final class Written {
        private final byte[] blob;
        private final Digest merkle;

        private Written(byte[] blob, Digest merkle) {
            this.blob = blob;
            this.merkle = merkle;
        }

        byte[] blob() {
            return blob;
        }

        Digest merkle() {
            return merkle;
        }
    }

    private DirectoryBlob() {}

    static Written write(Node directory) {
        int tree = 8;
        int side = 8;
        for (Node c : directory.children) {
            tree += 13 + c.name.length + extra(c);
            side += 8 + (c.isDirectory() ? Digest.BYTES : c.isCovered() ? 0 : 8);
        }
        for (Node.Ignored i : directory.ignored) {
            side += 10 + i.name().toBytes().length;
        }
        ByteBuffer out = ByteBuffer.allocate(4 + tree + side);
        out.putInt(tree).putInt(TREE).putInt(directory.children.size());
        directory.children.forEach(c -> writeEntry(out, c));
        out.putInt(SIDE);
        directory.children.forEach(c -> writeSide(out, c));
        out.putInt(directory.ignored.size());
        for (Node.Ignored i : directory.ignored) {
            byte[] name = i.name().toBytes();
            out.putShort((short) name.length).put(name).putLong(i.token());
        }
        byte[] blob = out.array();
        return new Written(blob, Digest.of(blob, 4, tree));
    }

    private static int extra(Node c) {
        if (c.isLink()) {
            return 2 + c.target().length;
        }
        return c.isCovered() ? Digest.BYTES : 1;
    }

    private static void writeEntry(ByteBuffer out, Node c) {
        out.put(c.type).putShort((short) c.mode).putLong(c.size);
        out.putShort((short) c.name.length).put(c.name);
        switch (c.type) {
            case Node.LINK -> out.putShort((short) c.target().length).put(c.target());
            case Node.NOT_COVERED -> out.put(c.cause().code);
            default -> c.hash().write(out);
        }
    }

    private static void writeSide(ByteBuffer out, Node c) {
        out.putLong(c.mtime);
        if (c.isDirectory()) {
            c.record().write(out);
        } else if (!c.isCovered()) {
            out.putLong(c.token);
        }
    }

    /** The directory that {@code blob} holds; its own {@code hash} is the Merkle hash. */
    static Node read(byte[] name, byte[] blob, Digest record) {
        try {
            ByteBuffer in = ByteBuffer.wrap(blob);
            int tree = in.getInt();
            if (tree < 8 || tree > blob.length - 4) {
                throw broken();
            }
            Node directory = new Node(name, Node.DIRECTORY);
            directory.record = record;
            directory.hash = Digest.of(blob, 4, tree);
            expect(in, TREE);
            directory.children = readEntries(in);
            if (in.position() != 4 + tree) {
                throw broken();
            }
            expect(in, SIDE);
            directory.children.forEach(c -> readSide(in, c));
            directory.ignored = readIgnored(in);
            if (in.hasRemaining()) {
                throw broken();
            }
            return directory;
        } catch (BufferUnderflowException | IllegalArgumentException _) {
            throw broken();
        }
    }

    private static void expect(ByteBuffer in, int magic) {
        int found = in.getInt();
        if (found != magic) {
            throw WorkspaceException.unreadable(
                    String.format(
                            "The snapshot has format %08x and this program reads %08x: use a newer"
                                    + " program.",
                            found, magic));
        }
    }

    private static int count(ByteBuffer in, int bytesEach) {
        int n = in.getInt();
        if (n < 0 || n > in.remaining() / bytesEach) {
            throw broken();
        }
        return n;
    }

    private static List<Node> readEntries(ByteBuffer in) {
        int n = count(in, 14);
        List<Node> entries = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            byte type = in.get();
            int mode = in.getShort();
            long size = in.getLong();
            byte[] name = bytes(in);
            boolean ordered = i == 0 || Arrays.compareUnsigned(entries.get(i - 1).name, name) < 0;
            if (!TreePath.isName(name) || !ordered || size < 0 || (mode & ~07777) != 0) {
                throw broken();
            }
            Node node = new Node(name, type);
            node.mode = mode;
            node.size = size;
            switch (type) {
                case Node.FILE, Node.DIRECTORY -> node.hash = Digest.read(in);
                case Node.LINK -> node.target = bytes(in);
                case Node.NOT_COVERED ->
                        node.cause =
                                Checkpoint.Cause.of(in.get()).orElseThrow(DirectoryBlob::broken);
                default -> throw broken();
            }
            entries.add(node);
        }
        return entries;
    }

    private static byte[] bytes(ByteBuffer in) {
        byte[] bytes = new byte[in.getShort() & 0xffff];
        in.get(bytes);
        return bytes;
    }

    private static void readSide(ByteBuffer in, Node c) {
        c.mtime = in.getLong();
        if (c.isDirectory()) {
            c.record = Digest.read(in);
        } else if (!c.isCovered()) {
            c.token = in.getLong();
        }
    }

    private static List<Node.Ignored> readIgnored(ByteBuffer in) {
        int n = count(in, 11);
        List<Node.Ignored> ignored = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            ignored.add(new Node.Ignored(TreePath.ROOT.child(bytes(in)), in.getLong()));
        }
        return ignored;
    }

    private static WorkspaceException broken() {
        return WorkspaceException.unreadable(
                "The snapshot is not of the form that this program writes: it cannot be read.");
    }
}
