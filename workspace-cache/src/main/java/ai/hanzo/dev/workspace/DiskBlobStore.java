package ai.hanzo.dev.workspace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Blobs as files below one directory: {@code objects/ab/cdef…}, written as {@code tmp/…} and
 * renamed. Any thread, and several processes at once. Directories are 0700, files 0400. With a key
 * the files are sealed; those of before are read, too.
 *
 * <p>A blob that is put again although it is there counts as new from then on: its file's
 * modification time says so, and {@link #sweep} leaves young ones alone. A sweep moves a blob to
 * {@code trash/…} before it looks at that time, so that whoever put it a moment before has it back,
 * and whoever puts it a moment later writes it anew.
 */
public final class DiskBlobStore implements BlobStore {

    /** Up to this many new blobs are synced one by one; more by one sync of the file system. */
    private static final int SYNC_SINGLY = 16;

    /** A temporary file of this age belongs to no living writer. */
    private static final Duration STALE = Duration.ofHours(6);

    /** A blob that was put so long ago is marked as new when it is put again. */
    private static final Duration RENEWAL = Duration.ofMinutes(10);

    private final Path directory;
    private final Path objects;
    private final Path temporary;
    private final Path trash;
    private final String id;
    private final String writer = UUID.randomUUID().toString();
    private final AtomicLong next = new AtomicLong();
    private final Queue<Sys> idle = new ConcurrentLinkedQueue<>();
    private final Optional<BlobCipher> cipher;

    /** A store that seals nothing. */
    public DiskBlobStore(Path directory) {
        this(directory, Optional.empty());
    }

    /**
     * Opens or makes the store; temporary files that a crash left are swept.
     *
     * @param cipher seals what is stored from now on
     * @throws WorkspaceException STORAGE_FULL, PERMISSION or IO
     */
    public DiskBlobStore(Path directory, Optional<BlobCipher> cipher) {
        this.cipher = cipher;
        this.directory = directory.toAbsolutePath();
        this.objects = this.directory.resolve("objects");
        this.temporary = this.directory.resolve("tmp");
        this.trash = this.directory.resolve("trash");
        try {
            var owner =
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------"));
            Files.createDirectories(objects, owner);
            Files.createDirectories(temporary, owner);
            Files.createDirectories(trash, owner);
            this.id = identity();
            sweep();
        } catch (IOException e) {
            throw WorkspaceException.io("the blob store in " + directory, e);
        }
    }

    private String identity() throws IOException {
        Path file = directory.resolve("id");
        if (!Files.exists(file)) {
            write(file, UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII));
        }
        return Files.readString(file);
    }

    private void sweep() throws IOException {
        Instant limit = Instant.now().minus(STALE);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(temporary)) {
            for (Path file : files) {
                try {
                    if (Files.getLastModifiedTime(file).toInstant().isBefore(limit)) {
                        Files.deleteIfExists(file);
                    }
                } catch (NoSuchFileException _) {
                    // another process was faster
                }
            }
        }
    }

    /** Under another key it is another store: what was put under the former may be unreadable. */
    @Override
    public String id() {
        return cipher.map(key -> id + "-" + key.keyName()).orElse(id);
    }

    @Override
    public boolean has(Digest digest) {
        return Files.exists(path(digest));
    }

    @Override
    public byte[] get(Digest digest) {
        return content(digest, fileOf(digest));
    }

    /** The file as it lies there, sealed or not; what is in it was verified. */
    public byte[] file(Digest digest) {
        byte[] file = fileOf(digest);
        content(digest, file);
        return file;
    }

    private byte[] content(Digest digest, byte[] file) {
        byte[] data = file;
        if (cipher.isPresent() && cipher.get().isOurs(file)) {
            data =
                    cipher.get()
                            .open(digest, file)
                            .orElseThrow(() -> WorkspaceException.blobCorrupt(digest));
        }
        if (!Digest.of(data).equals(digest)) {
            throw BlobCipher.isSealed(data)
                    ? WorkspaceException.blobSealed(digest)
                    : WorkspaceException.blobCorrupt(digest);
        }
        return data;
    }

    private byte[] fileOf(Digest digest) {
        try {
            return read(digest);
        } catch (NoSuchFileException _) {
            throw WorkspaceException.blobMissing(digest);
        } catch (IOException e) {
            throw WorkspaceException.io("the stored file " + path(digest), e);
        }
    }

    /** Where a sweep has it for a moment, too. */
    private byte[] read(Digest digest) throws IOException {
        try {
            return Files.readAllBytes(path(digest));
        } catch (NoSuchFileException _) {
            try {
                return Files.readAllBytes(trash.resolve(digest.hex()));
            } catch (NoSuchFileException _) {
                return Files.readAllBytes(path(digest));
            }
        }
    }

    /** All that are there, in no order; close it. */
    @SuppressWarnings("StreamResourceLeak") // whoever asks closes it
    public Stream<Digest> all() {
        try {
            return Files.walk(objects, 2)
                    .filter(file -> objects.relativize(file).getNameCount() == 2)
                    .flatMap(this::digest);
        } catch (IOException e) {
            throw WorkspaceException.io("the blob store in " + directory, e);
        }
    }

    private Stream<Digest> digest(Path file) {
        try {
            return Stream.of(Digest.parse(objects.relativize(file).toString().replace("/", "")));
        } catch (IllegalArgumentException _) {
            return Stream.empty(); // not ours
        }
    }

    /**
     * What a sweep removed.
     *
     * @param bytes of their content
     */
    public record Swept(long blobs, long bytes) {}

    /**
     * Removes what nobody needs and what was not put for {@code age}. What was put, and is not yet
     * named where {@code isNeeded} looks, is safe for as long as that. One at a time.
     *
     * @throws WorkspaceException PERMISSION or IO
     */
    public Swept sweep(Duration age, Predicate<Digest> isNeeded) {
        Instant limit = Instant.now().minus(age);
        long blobs = 0;
        long bytes = 0;
        try (Stream<Digest> all = all()) {
            putBack();
            for (Digest digest : (Iterable<Digest>) all::iterator) {
                Path file = path(digest);
                if (isYoung(file, limit) || isNeeded.test(digest)) {
                    continue;
                }
                Path aside = trash.resolve(digest.hex());
                Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
                if (isYoung(aside, limit)) {
                    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
                    continue;
                }
                bytes += Files.size(aside);
                blobs++;
                Files.delete(aside);
            }
            return new Swept(blobs, bytes);
        } catch (IOException e) {
            throw WorkspaceException.io("the blob store in " + directory, e);
        }
    }

    /** What a sweep that was killed had moved aside. */
    private void putBack() throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(trash)) {
            for (Path file : left) {
                Path to = path(Digest.parse(file.getFileName().toString()));
                Files.createDirectories(to.getParent());
                Files.move(file, to, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private static boolean isYoung(Path file, Instant limit) throws IOException {
        return Files.getLastModifiedTime(file).toInstant().isAfter(limit);
    }

    /** Whether a file, if it is there, can be opened: it may have been sealed under a lost key. */
    private boolean isReadable(Path file) {
        if (cipher.isEmpty()) {
            return true;
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] beginning = in.readNBytes(BlobCipher.HEAD_BYTES);
            return cipher.get().isOurs(beginning) || !BlobCipher.isSealed(beginning);
        } catch (NoSuchFileException _) {
            return true;
        } catch (IOException e) {
            throw WorkspaceException.io("the stored file " + file, e);
        }
    }

    /** Whether it is there; from now on it counts as new. */
    private static boolean renew(Path file) {
        try {
            Instant now = Instant.now();
            if (isYoung(file, now.minus(RENEWAL))) {
                return true;
            }
            Files.setLastModifiedTime(file, FileTime.from(now));
            // If a sweep moved it in between, it may have looked at the time before it was set.
            return Files.exists(file);
        } catch (NoSuchFileException _) {
            return false;
        } catch (IOException e) {
            throw WorkspaceException.io("the stored file " + file, e);
        }
    }

    @Override
    public Digest put(byte[] data) {
        try (Batch batch = batch()) {
            Digest digest = batch.put(data, data.length);
            batch.commit();
            return digest;
        }
    }

    @Override
    public Batch batch() {
        return new DiskBatch();
    }

    private Path path(Digest digest) {
        String hex = digest.hex();
        return objects.resolve(hex.substring(0, 2)).resolve(hex.substring(2));
    }

    private void write(Path to, byte[] data) {
        Path file = temporary.resolve(writer + "-" + next.incrementAndGet());
        borrow(sys -> {
            writeFile(sys, file, data, data.length, true);
            check(sys.rename(Sys.AT_FDCWD, Sys.bytes(file), Sys.AT_FDCWD, Sys.bytes(to)), to);
        });
    }

    private static void writeFile(Sys sys, Path file, byte[] data, int length, boolean isSynced) {
        int fd = check(sys.create(Sys.AT_FDCWD, Sys.bytes(file), 0400), file);
        try {
            check(sys.write(fd, data, length), file);
            if (isSynced) {
                check(sys.sync(fd), file);
            }
        } catch (WorkspaceException e) {
            sys.unlink(Sys.AT_FDCWD, Sys.bytes(file));
            throw e;
        } finally {
            sys.close(fd);
        }
    }

    private static int check(int result, Path path) {
        if (result < 0) {
            throw WorkspaceException.of("the blob store's " + path, -result);
        }
        return result;
    }

    private interface Work {
        void with(Sys sys);
    }

    private void borrow(Work work) {
        Sys pooled = idle.poll();
        Sys sys = pooled == null ? new Sys() : pooled;
        work.with(sys);
        idle.add(sys);
    }

    private final class DiskBatch implements Batch {

        private record Pending(Path from, Path to) {}

        private final AtomicLong bytes = new AtomicLong();
        // guarded by itself
        private final List<Pending> pending = new ArrayList<>();
        private final Set<Digest> known = java.util.concurrent.ConcurrentHashMap.newKeySet();

        @Override
        public Digest put(byte[] data, int length) {
            Digest digest = Digest.of(data, 0, length);
            Path to = path(digest);
            if (!known.add(digest) || (isReadable(to) && renew(to))) {
                return digest;
            }
            if (cipher.isPresent()) {
                byte[] sealed = cipher.get().seal(digest, data, length);
                add(sealed, sealed.length, to);
            } else {
                add(data, length, to);
            }
            bytes.addAndGet(length);
            return digest;
        }

        @Override
        public void putFile(Digest digest, byte[] file) {
            Path to = path(digest);
            if (known.add(digest) && !renew(to)) {
                add(file, file.length, to);
                bytes.addAndGet(file.length);
            }
        }

        private void add(byte[] file, int length, Path to) {
            Path from = temporary.resolve(writer + "-" + next.incrementAndGet());
            borrow(sys -> writeFile(sys, from, file, length, false));
            synchronized (pending) {
                pending.add(new Pending(from, to));
            }
        }

        @Override
        public long newBytes() {
            return bytes.get();
        }

        @Override
        public void commit() {
            synchronized (pending) {
                if (pending.isEmpty()) {
                    return;
                }
                borrow(this::commit);
                pending.clear();
            }
        }

        // The bytes first, then the names: a name in objects never stands for bytes that may be
        // lost.
        private void commit(Sys sys) {
            boolean singly = pending.size() <= SYNC_SINGLY;
            if (singly) {
                pending.forEach(p -> syncPath(sys, p.from()));
            } else {
                syncAll(sys);
            }
            Set<Path> directories = new HashSet<>();
            for (Pending p : pending) {
                Path shelf = objects.resolve(objects.relativize(p.to()).getName(0));
                if (directories.add(shelf)) {
                    int made = sys.makeDirectory(Sys.AT_FDCWD, Sys.bytes(shelf), 0700);
                    if (made < 0 && made != -Sys.EEXIST) {
                        check(made, shelf);
                    }
                }
                check(
                        sys.rename(
                                Sys.AT_FDCWD, Sys.bytes(p.from()), Sys.AT_FDCWD, Sys.bytes(p.to())),
                        p.to());
            }
            if (singly) {
                directories.forEach(d -> syncPath(sys, d));
                syncPath(sys, objects);
            } else {
                syncAll(sys);
            }
        }

        private void syncPath(Sys sys, Path path) {
            int fd = check(sys.openFile(Sys.AT_FDCWD, Sys.bytes(path)), path);
            try {
                check(sys.sync(fd), path);
            } finally {
                sys.close(fd);
            }
        }

        private void syncAll(Sys sys) {
            int fd = check(sys.openDirectory(Sys.AT_FDCWD, Sys.bytes(directory)), directory);
            try {
                check(sys.syncFileSystem(fd), directory);
            } finally {
                sys.close(fd);
            }
        }

        @Override
        public void close() {
            synchronized (pending) {
                for (Pending p : pending) {
                    try {
                        Files.deleteIfExists(p.from());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
                pending.clear();
            }
        }
    }
}
