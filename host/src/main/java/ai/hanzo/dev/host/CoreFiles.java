package ai.hanzo.dev.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.host.core.CoreLock;
import ai.hanzo.dev.host.core.CoreReport;
import ai.hanzo.dev.host.surface.cli.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;

/** Reads cores and their locks for {@code hanzo dev core verify}. Safe for all threads. */
final class CoreFiles implements Programs.CoreVerifier {
    /** A hundred times what a core may have; more is not read. */
    private static final int MAX_BYTES = 16 << 20;

    @Override
    public Programs.CoreFacts builtIn() {
        return locked(CoreReport.ofCurrent());
    }

    @Override
    public Programs.CoreFacts file(Path module) {
        byte[] wasm = read(module, "name a module");
        Path lock = module.resolveSibling(module.getFileName() + ".lock");
        if (!Files.exists(lock)) {
            return facts(CoreReport.of(wasm));
        }
        String text = new String(read(lock, "it is taken for the lock; move it away"), UTF_8);
        try {
            return locked(CoreReport.of(wasm, CoreLock.parse(text), lock.toString()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    lock + " is no lock (" + e.getMessage() + "); make -C wasm writes it.", e);
        }
    }

    /** The bytes of a regular file; what only looks like one, or never ends, is not read. */
    private static byte[] read(Path file, String advice) {
        byte[] bytes;
        try {
            BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
            if (!is.isRegularFile()) {
                String what = is.isDirectory() ? "a folder" : "no regular file";
                throw unreadable(file, "it is " + what, advice);
            }
            try (InputStream in = Files.newInputStream(file)) {
                bytes = in.readNBytes(MAX_BYTES + 1);
            }
        } catch (NoSuchFileException e) {
            throw unreadable(file, "it is not there", advice);
        } catch (IOException e) {
            throw unreadable(file, e.getClass().getSimpleName(), advice);
        }
        if (bytes.length > MAX_BYTES) {
            throw unreadable(file, "it is larger than 16 MiB", advice);
        }
        return bytes;
    }

    private static IllegalArgumentException unreadable(Path file, String why, String advice) {
        return new IllegalArgumentException(
                "Cannot read " + file + " (" + why + "); " + advice + ".");
    }

    /** A module that has a lock of its own must be the one in it. */
    private static Programs.CoreFacts locked(CoreReport report) {
        Programs.CoreFacts facts = facts(report);
        if (report.isLocked()) {
            return facts;
        }
        var problems = new ArrayList<>(facts.problems());
        problems.add(
                "The module is not the one of "
                        + report.lockName()
                        + "; build it again with make -C wasm.");
        return new Programs.CoreFacts(facts.digest(), facts.lines(), problems);
    }

    private static Programs.CoreFacts facts(CoreReport report) {
        return new Programs.CoreFacts(report.digest().hex(), report.lines(), report.problems());
    }
}
