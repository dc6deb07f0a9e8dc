package ai.hanzo.dev.host;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * What a JVM needs to start in a fraction of the time: the class path as jars, and a cache of the
 * classes that a host loads, as the launcher makes one. Tests that kill a host again and again
 * spend their time in starts.
 */
final class QuickStart {
    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final Path ROOT = TARGET.resolve("quick-" + Integer.toHexString(version()));
    private static final Path CACHE = ROOT.resolve("host.aot");
    private static final String CLASS_PATH = jars();

    /** Options of the host that makes the cache when it ends. */
    static final List<String> TO_MAKE_IT = List.of("-XX:AOTCacheOutput=" + CACHE, "-Xlog:aot=off");

    private QuickStart() {}

    /** The class path of this JVM, without directories: an archive does not take those. */
    static String classPath() {
        return CLASS_PATH;
    }

    /** Options that use the cache; without {@link #prepare} there is none, and they do nothing. */
    static List<String> options() {
        return Files.exists(CACHE)
                ? List.of("-XX:AOTCache=" + CACHE, "-Dhanzo.host.aot=" + CACHE, "-Xlog:aot=off")
                : List.of();
    }

    /** Makes the cache, if there is none: JVMs of one build that need it share one. */
    static synchronized void prepare() {
        alone(() -> {
            if (Files.exists(CACHE)) {
                return;
            }
            Path home = Files.createTempDirectory("hanzo-quick-");
            try (ForkedHost host =
                    new ForkedHost(home, Optional.of(Databases.fresh()), TO_MAKE_IT)) {
                // The ordinary way out: it is written at the end.
                assert host.isAlive();
            }
            TestHost.endCells(home);
            Databases.deleteTree(home);
        });
    }

    /** Changes with what is on the class path. */
    private static int version() {
        int version = 1;
        for (Path entry : entries()) {
            version = 31 * version + entry.hashCode();
            try (Stream<Path> all = Files.walk(entry)) {
                for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                    version = 31 * version + Files.getLastModifiedTime(file).hashCode();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return version;
    }

    private static List<Path> entries() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(Files::exists)
                .toList();
    }

    private static String jars() {
        List<String> entries = new ArrayList<>();
        alone(() -> {
            Files.createDirectories(ROOT);
            int made = 0;
            for (Path path : entries()) {
                if (Files.isDirectory(path)) {
                    Path jar = ROOT.resolve("classes-" + made++ + ".jar");
                    if (!Files.exists(jar)) {
                        Path fresh = ROOT.resolve("fresh");
                        pack(path, fresh);
                        Files.move(fresh, jar);
                    }
                    entries.add(jar.toString());
                } else {
                    entries.add(path.toString());
                }
            }
        });
        return String.join(File.pathSeparator, entries);
    }

    private interface Work {
        void run() throws IOException;
    }

    /** One JVM at a time does it. */
    private static void alone(Work work) {
        try (FileChannel channel =
                        FileChannel.open(
                                TARGET.resolve("quick.lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            work.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pack(Path directory, Path jar) {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar));
                Stream<Path> all = Files.walk(directory)) {
            out.setMethod(ZipOutputStream.STORED);
            for (Path file : all.filter(path -> !path.equals(directory)).sorted().toList()) {
                // Directories, too: resources are looked for by their directory.
                boolean isFile = Files.isRegularFile(file);
                byte[] bytes = isFile ? Files.readAllBytes(file) : new byte[0];
                String name = directory.relativize(file).toString();
                ZipEntry entry = new ZipEntry(isFile ? name : name + "/");
                entry.setSize(bytes.length);
                CRC32 sum = new CRC32();
                sum.update(bytes);
                entry.setCrc(sum.getValue());
                out.putNextEntry(entry);
                out.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
