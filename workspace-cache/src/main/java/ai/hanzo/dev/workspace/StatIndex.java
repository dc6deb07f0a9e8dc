package ai.hanzo.dev.workspace;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The last scan of each workspace, in memory for the last few and in a file for all. A cache: what
 * cannot be read, was written for another store or fails its checksum is forgotten, and the next
 * checkpoint reads every file again. Any thread.
 */
final class StatIndex {

    private static final int MAGIC = 0x485a4932; // HZI2
    private static final int KEPT = 8;
    private static final int MAX_DEPTH = Scan.MAX_DEPTH + 1;

    private final Path directory;
    private final String storeId;
    private final Object lock = new Object();
    // guarded by lock
    private final Map<String, Node> recent =
            new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Node> eldest) {
                    return size() > KEPT;
                }
            };

    StatIndex(Path directory, String storeId) {
        this.directory = directory;
        this.storeId = storeId;
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw WorkspaceException.io("the directory " + directory, e);
        }
    }

    /** Owner and group are no part of it. */
    private static String key(Workspace workspace) {
        String identity = workspace.device() + ":" + workspace.inode() + ":" + workspace.path();
        return Digest.of(identity.getBytes(StandardCharsets.UTF_8)).hex();
    }

    @Nullable Node load(Workspace workspace) {
        String key = key(workspace);
        Path file = directory.resolve(key);
        synchronized (lock) {
            Node known = recent.get(key);
            if (known != null && Files.exists(file)) {
                return known;
            }
        }
        return read(file);
    }

    private @Nullable Node read(Path file) {
        CRC32C crc = new CRC32C();
        try (DataInputStream in =
                new DataInputStream(
                        new CheckedInputStream(
                                new BufferedInputStream(Files.newInputStream(file), 1 << 16),
                                crc))) {
            if (in.readInt() != MAGIC || !in.readUTF().equals(storeId)) {
                return null;
            }
            Node root = read(in, 0);
            long sum = crc.getValue();
            return in.readLong() == sum ? root : null;
        } catch (IOException | IllegalArgumentException _) {
            return null;
        }
    }

    void save(Workspace workspace, Node root) {
        String key = key(workspace);
        synchronized (lock) {
            recent.put(key, root);
        }
        Path file = directory.resolve(key);
        Path temporary = directory.resolve(key + "." + UUID.randomUUID());
        CRC32C crc = new CRC32C();
        try (DataOutputStream out =
                new DataOutputStream(
                        new CheckedOutputStream(
                                new BufferedOutputStream(Files.newOutputStream(temporary), 1 << 16),
                                crc))) {
            out.writeInt(MAGIC);
            out.writeUTF(storeId);
            write(out, root);
            out.writeLong(crc.getValue());
        } catch (IOException _) {
            delete(temporary); // a full disk: the file before it stays, and the memory has the new
            // one
            return;
        }
        try {
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException _) {
            delete(temporary);
        }
    }

    /** Calls {@code each} with the root of every workspace that is known. */
    void forEach(Consumer<Node> each) throws IOException {
        synchronized (lock) {
            recent.values().forEach(each);
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Node root = read(file);
                if (root != null) {
                    each.accept(root);
                }
            }
        }
    }

    /** Forgets those of no workspace of {@code kept} that were not written since {@code limit}. */
    void forget(Set<Workspace> kept, Instant limit) throws IOException {
        Set<String> keys = new HashSet<>();
        kept.forEach(workspace -> keys.add(key(workspace)));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (!keys.contains(name)
                        && Files.getLastModifiedTime(file).toInstant().isBefore(limit)) {
                    synchronized (lock) {
                        recent.remove(name);
                    }
                    delete(file);
                }
            }
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException _) {
            // it is a cache; the next save tries again
        }
    }

    private static void write(DataOutputStream out, Node n) throws IOException {
        out.writeByte(n.type);
        out.writeShort(n.name.length);
        out.write(n.name);
        out.writeShort(n.mode);
        out.writeLong(n.size);
        out.writeLong(n.mtime);
        out.writeLong(n.ctime);
        out.writeLong(n.inode);
        out.writeBoolean(n.isSettled);
        switch (n.type) {
            case Node.FILE -> writeDigest(out, n.hash());
            case Node.LINK -> {
                out.writeShort(n.target().length);
                out.write(n.target());
            }
            case Node.NOT_COVERED -> {
                out.writeByte(n.cause().code);
                out.writeLong(n.token);
            }
            case Node.DIRECTORY -> {
                writeDigest(out, n.hash());
                writeDigest(out, n.record());
                out.writeInt(n.ignored.size());
                for (Node.Ignored i : n.ignored) {
                    byte[] name = i.name().toBytes();
                    out.writeShort(name.length);
                    out.write(name);
                    out.writeLong(i.token());
                }
                out.writeInt(n.children.size());
                for (Node child : n.children) {
                    write(out, child);
                }
            }
            default -> throw new IllegalStateException("node type " + n.type);
        }
    }

    private static void writeDigest(DataOutputStream out, Digest d) throws IOException {
        out.writeLong(d.a());
        out.writeLong(d.b());
        out.writeLong(d.c());
        out.writeLong(d.d());
    }

    private static Node read(DataInputStream in, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new IOException("too deep");
        }
        byte type = in.readByte();
        Node n = new Node(in.readNBytes(in.readUnsignedShort()), type);
        n.mode = in.readUnsignedShort();
        n.size = in.readLong();
        n.mtime = in.readLong();
        n.ctime = in.readLong();
        n.inode = in.readLong();
        n.isSettled = in.readBoolean();
        switch (type) {
            case Node.FILE -> n.hash = readDigest(in);
            case Node.LINK -> n.target = in.readNBytes(in.readUnsignedShort());
            case Node.NOT_COVERED -> {
                n.cause =
                        Checkpoint.Cause.of(in.readByte())
                                .orElseThrow(() -> new IOException("no such cause"));
                n.token = in.readLong();
            }
            case Node.DIRECTORY -> {
                n.hash = readDigest(in);
                n.record = readDigest(in);
                int ignored = in.readInt();
                List<Node.Ignored> list = new ArrayList<>();
                for (int i = 0; i < ignored; i++) {
                    byte[] name = in.readNBytes(in.readUnsignedShort());
                    list.add(new Node.Ignored(TreePath.ROOT.child(name), in.readLong()));
                }
                n.ignored = list;
                int count = in.readInt();
                List<Node> children = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    children.add(read(in, depth + 1));
                }
                n.children = children;
            }
            default -> throw new IOException("no such type");
        }
        return n;
    }

    private static Digest readDigest(DataInputStream in) throws IOException {
        return new Digest(in.readLong(), in.readLong(), in.readLong(), in.readLong());
    }
}
