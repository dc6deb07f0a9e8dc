package ai.hanzo.dev.host.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.host.backup.Backups.Contents;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.TableLoad;
import ai.hanzo.dev.workspace.BlobCipher;
import ai.hanzo.dev.workspace.BlobStore;
import ai.hanzo.dev.workspace.Digest;
import ai.hanzo.dev.workspace.DiskBlobStore;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/**
 * Puts a backup into an empty state directory. The file is read twice: to check all of it, then to
 * store it; the ledger's rows are committed last. One thread.
 */
public final class Restore {
    private static final Pattern BEGINNING =
            Pattern.compile(Backups.TITLE + "(\\d{1,9})\nschema (\\d{1,9})\n");
    private static final Pattern END = Pattern.compile("rows (\\d+)\nfiles (\\d+)\n");
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MAX_TEXT_BYTES = 1 << 16;

    /** Synced together. */
    private static final int BATCH = 1000;

    private final Path file;
    private final Path state;
    private Optional<Checked> checked = Optional.empty();

    /** Of {@code file}, into {@code state}; nothing is touched yet. */
    public Restore(Path file, Path state) {
        this.file = file;
        this.state = state;
    }

    /** What the first reading found. */
    private record Checked(int schema, long rows, long files) {}

    /** Takes a part of the archive. */
    private interface Part {
        void take(String name, InputStream content) throws IOException;
    }

    /**
     * Reads all of the file; touches nothing.
     *
     * @throws BackupException when the file is not whole, or the state directory not empty
     */
    public void check() {
        requireEmpty();
        try {
            var checking = new Checking();
            each(checking);
            checked = Optional.of(checking.end());
        } catch (IOException e) {
            throw fault(e);
        }
    }

    /** Restores what was checked. */
    public Contents run(DatabaseConfig database) {
        Checked found = checked.orElseThrow(() -> new IllegalStateException("it was not checked"));
        try (TableLoad load = TableLoad.open(database, found.schema())) {
            Files.createDirectories(state, owner("rwx------"));
            store(load);
            load.commit();
        } catch (IOException e) {
            throw fault(e);
        }
        boolean holdsKey = Files.exists(state.resolve(Backups.KEY));
        return new Contents(found.rows(), found.files(), List.of(), holdsKey);
    }

    private void store(TableLoad load) throws IOException {
        try (Blobs blobs = new Blobs(new DiskBlobStore(state.resolve("blobs")))) {
            each((name, content) -> {
                if (name.startsWith(Backups.TABLES)) {
                    load.copy(name.substring(Backups.TABLES.length()), content);
                } else if (name.startsWith(Backups.BLOBS)) {
                    blobs.put(digest(name), content.readAllBytes());
                } else if (name.startsWith(Backups.STATE)) {
                    state(name.substring(Backups.STATE.length()), content);
                }
            });
            blobs.commit();
        }
    }

    private void requireEmpty() {
        try (Stream<Path> inside = Files.list(state)) {
            if (inside.findAny().isPresent()) {
                throw BackupException.notEmpty(state);
            }
        } catch (NoSuchFileException e) {
            // As it should be.
        } catch (IOException e) {
            throw BackupException.notEmpty(state);
        }
    }

    /** The first reading: the archive checks what it packs, the names of blobs their content. */
    private final class Checking implements Part {
        private Optional<Integer> schema = Optional.empty();
        private Optional<Checked> end = Optional.empty();
        private long files;

        @Override
        public void take(String name, InputStream content) throws IOException {
            if (schema.isEmpty()) {
                Matcher beginning =
                        BEGINNING.matcher(name.equals(Backups.FIRST) ? text(content) : "");
                require(beginning.matches(), "it is no backup of hanzo dev");
                int version = Integer.parseInt(beginning.group(1));
                require(
                        version <= Backups.VERSION,
                        "it has format "
                                + version
                                + " and this hanzo reads up to "
                                + Backups.VERSION
                                + "; use a newer hanzo");
                schema = Optional.of(Integer.parseInt(beginning.group(2)));
            } else if (name.startsWith(Backups.BLOBS)) {
                // What is sealed cannot be looked into here; the archive checks what it packs.
                byte[] file = content.readAllBytes();
                boolean isRight =
                        BlobCipher.isSealed(file)
                                || name.equals(Backups.BLOBS + Digest.of(file).hex());
                require(isRight && isDigest(name), "it is damaged (" + name + ")");
                files++;
            } else if (name.equals(Backups.LAST)) {
                Matcher last = END.matcher(text(content));
                require(last.matches(), "it is damaged (its end)");
                end =
                        Optional.of(
                                new Checked(
                                        schema.get(),
                                        Long.parseLong(last.group(1)),
                                        Long.parseLong(last.group(2))));
            }
        }

        Checked end() {
            require(schema.isPresent(), "it is no backup of hanzo dev");
            require(end.isPresent(), "it is cut short");
            Checked checked = end.orElseThrow();
            require(
                    files == checked.files(),
                    "it has " + files + " of " + checked.files() + " stored files");
            return checked;
        }
    }

    private static boolean isDigest(String name) {
        return name.substring(Backups.BLOBS.length()).matches("[0-9a-f]{64}");
    }

    private static Digest digest(String name) {
        return Digest.parse(name.substring(Backups.BLOBS.length()));
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw BackupException.file(file, otherwise, null);
        }
    }

    private void each(Part part) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry next = zip.getNextEntry(); next != null; next = zip.getNextEntry()) {
                part.take(next.getName(), new Open(zip));
                zip.closeEntry();
            }
        }
    }

    /** Who reads an entry must not end the archive. */
    private static final class Open extends FilterInputStream {
        Open(InputStream in) {
            super(in);
        }

        @Override
        public void close() {}
    }

    private static String text(InputStream content) throws IOException {
        return new String(content.readNBytes(MAX_TEXT_BYTES), UTF_8);
    }

    private void state(String name, InputStream content) throws IOException {
        if (!Set.of(Backups.KEY, Backups.RUNNER).contains(name)) {
            return;
        }
        Path to = state.resolve(name);
        Files.createDirectories(to.getParent(), owner("rwx------"));
        Files.createFile(to, owner("rw-------"));
        try (OutputStream out = Files.newOutputStream(to)) {
            out.write(content.readNBytes(MAX_TEXT_BYTES));
        }
    }

    private static java.nio.file.attribute.FileAttribute<?> owner(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }

    /** Stored files, synced a thousand at a time. */
    private static final class Blobs implements AutoCloseable {
        private final DiskBlobStore store;
        private BlobStore.Batch batch;
        private int waiting;

        Blobs(DiskBlobStore store) {
            this.store = store;
            this.batch = store.batch();
        }

        void put(Digest name, byte[] file) {
            batch.putFile(name, file);
            waiting++;
            if (waiting == BATCH) {
                batch.commit();
                batch = store.batch();
                waiting = 0;
            }
        }

        void commit() {
            batch.commit();
        }

        @Override
        public void close() {
            batch.close();
        }
    }

    private BackupException fault(IOException e) {
        return switch (e) {
            case EOFException cut -> BackupException.file(file, "it is cut short", cut);
            case ZipException broken ->
                    BackupException.file(
                            file, "it is damaged (" + broken.getMessage() + ")", broken);
            case NoSuchFileException gone -> BackupException.file(file, "it is not there", gone);
            default -> BackupException.file(file, String.valueOf(e.getMessage()), e);
        };
    }
}
