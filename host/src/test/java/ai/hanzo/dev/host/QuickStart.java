package ai.hanzo.dev.host;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private static final Path ROOT = directory();
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

    /** Makes the cache, if there is none. */
    static synchronized void prepare() {
        if (Files.exists(CACHE)) {
            return;
        }
        Path home = ROOT.resolve("home");
        try (ForkedHost host = new ForkedHost(home, Optional.of(Databases.fresh()), TO_MAKE_IT)) {
            // The ordinary way out: it is written at the end.
            assert host.isAlive();
        }
        TestHost.endCells(home);
    }

    private static Path directory() {
        try {
            Path made = Files.createTempDirectory("hanzo-quick-");
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> Databases.deleteTree(made), "delete-jars"));
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String jars() {
        List<String> entries = new ArrayList<>();
        int made = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                Path jar = ROOT.resolve("classes-" + made++ + ".jar");
                pack(path, jar);
                entries.add(jar.toString());
            } else if (Files.exists(path)) {
                entries.add(entry);
            }
        }
        return String.join(File.pathSeparator, entries);
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
