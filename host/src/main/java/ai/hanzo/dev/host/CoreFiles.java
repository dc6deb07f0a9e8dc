package ai.hanzo.dev.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.host.core.CoreLock;
import ai.hanzo.dev.host.core.CoreReport;
import ai.hanzo.dev.host.surface.cli.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/** Reads cores and their locks for {@code hanzo dev core verify}. Safe for all threads. */
final class CoreFiles implements Programs.CoreVerifier {

    @Override
    public Programs.CoreFacts builtIn() {
        return locked(CoreReport.ofCurrent());
    }

    @Override
    public Programs.CoreFacts file(Path module) {
        byte[] wasm = read(module);
        Path lock = module.resolveSibling(module.getFileName() + ".lock");
        if (!Files.exists(lock)) {
            return facts(CoreReport.of(wasm));
        }
        String text = new String(read(lock), UTF_8);
        try {
            return locked(CoreReport.of(wasm, CoreLock.parse(text), lock.toString()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    lock + " is no lock (" + e.getMessage() + "); make -C wasm writes it.", e);
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file + "; name a module.", e);
        }
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
