package ai.hanzo.dev.host.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.TableDump;
import ai.hanzo.dev.workspace.BlobCipher;
import ai.hanzo.dev.workspace.Digest;
import ai.hanzo.dev.workspace.DiskBlobStore;
import ai.hanzo.dev.workspace.WorkspaceException;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Backups of a whole state directory into one file, while hosts serve: the ledger as it is at one
 * moment, then every stored file, of which there are only more by then. A zip archive:
 *
 * <pre>
 *   backup           first: "hanzo backup 2", then the number of the newest migration
 *   tables/NAME      a line of column names, then rows as COPY writes them
 *   blobs/SHA256     a stored file as it lies there, sealed
 *   state/NAME       runner.id, keys/org.key
 *   end              last: how many rows and stored files there are
 * </pre>
 *
 * One thread.
 */
public final class Backups {
    static final String FIRST = "backup";
    static final String LAST = "end";
    static final String TABLES = "tables/";
    static final String BLOBS = "blobs/";
    static final String STATE = "state/";
    static final String TITLE = "hanzo backup ";

    /** The version that this release writes, and the newest that it reads. */
    static final int VERSION = 2;

    static final String RUNNER = "runner.id";
    static final String KEY = "keys/org.key";
    private static final int BUFFER_BYTES = 1 << 16;

    private Backups() {}

    /**
     * What was written or read.
     *
     * @param rows of all tables
     * @param files stored files
     * @param damaged stored files that are not what their names say: left out
     * @param holdsKey whether the organisation's key is in it
     */
    public record Contents(long rows, long files, List<String> damaged, boolean holdsKey) {
        public Contents {
            damaged = List.copyOf(damaged);
        }
    }

    /** Whether the organisation's key goes with it. */
    public enum Key {
        WITH,
        WITHOUT
    }

    /**
     * Writes a backup; the file appears whole or not at all, readable for its owner only.
     *
     * @param source what is backed up
     * @throws BackupException when the file cannot be written
     */
    public static Contents create(Source source, Path file, Key key) {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw BackupException.place(file, "its directory is not there", null);
        }
        try {
            Path draft =
                    Files.createTempFile(
                            directory,
                            "backup-",
                            ".part",
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------")));
            try {
                Contents contents = write(source, draft, key);
                Files.move(
                        draft,
                        file,
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
                return contents;
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException e) {
            throw BackupException.place(file, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * What is backed up.
     *
     * @param state the state directory
     * @param cipher opens stored files, to see whether they are what they should be
     */
    public record Source(DatabaseConfig database, Path state, Optional<BlobCipher> cipher) {}

    private static Contents write(Source source, Path draft, Key key) throws IOException {
        Path state = source.state();
        try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE);
                TableDump dump = TableDump.open(source.database());
                ZipOutputStream zip =
                        new ZipOutputStream(
                                new BufferedOutputStream(
                                        Channels.newOutputStream(channel), BUFFER_BYTES))) {
            zip.setLevel(Deflater.BEST_SPEED);
            put(zip, FIRST, TITLE + VERSION + "\nschema " + dump.schema() + "\n");
            long rows = 0;
            for (String table : dump.tables()) {
                zip.putNextEntry(new ZipEntry(TABLES + table));
                rows += dump.copy(table, new Open(zip));
                zip.closeEntry();
            }
            List<String> damaged = new ArrayList<>();
            long files =
                    blobs(zip, new DiskBlobStore(state.resolve("blobs"), source.cipher()), damaged);
            boolean holdsKey = key == Key.WITH && copy(zip, state, KEY);
            copy(zip, state, RUNNER);
            put(zip, LAST, "rows " + rows + "\nfiles " + files + "\n");
            zip.finish();
            zip.flush();
            channel.force(/* metaData= */ true);
            return new Contents(rows, files, damaged, holdsKey);
        }
    }

    /** COPY must not end the entry's stream. */
    private static final class Open extends FilterOutputStream {
        Open(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
        }

        @Override
        public void close() {}
    }

    private static long blobs(ZipOutputStream zip, DiskBlobStore store, List<String> damaged)
            throws IOException {
        long files = 0;
        try (Stream<Digest> all = store.all()) {
            for (Digest digest : (Iterable<Digest>) all::iterator) {
                byte[] content;
                try {
                    content = store.file(digest);
                } catch (WorkspaceException e) {
                    if (e.code() != WorkspaceException.Code.BLOB_MISSING) {
                        damaged.add(digest.hex());
                    }
                    continue;
                }
                zip.putNextEntry(new ZipEntry(BLOBS + digest.hex()));
                zip.write(content);
                zip.closeEntry();
                files++;
            }
        }
        return files;
    }

    private static boolean copy(ZipOutputStream zip, Path state, String name) throws IOException {
        Path file = state.resolve(name);
        if (!Files.exists(file)) {
            return false;
        }
        put(zip, STATE + name, Files.readString(file));
        return true;
    }

    private static void put(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(UTF_8));
        zip.closeEntry();
    }
}
