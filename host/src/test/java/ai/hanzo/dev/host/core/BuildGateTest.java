package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What must hold for a core to be built in: runs in every build. A reason for going over a bound is
 * a line {@code because …} in the lock.
 */
final class BuildGateTest {
    /**
     * HotSpot never compiles a larger method ({@code HugeMethodLimit}): it would run 9 to 18 times
     * slower.
     */
    private static final int HUGE_METHOD_BYTES = 8_000;

    private static final int MAX_MODULE_BYTES = 150 * 1024;
    private static final Path WASM = Path.of("../wasm");

    private static CoreLock lock() throws IOException {
        return CoreLock.parse(Files.readString(WASM.resolve("dev.wasm.lock")));
    }

    private static byte[] module() throws IOException {
        return Files.readAllBytes(WASM.resolve("dev.wasm"));
    }

    @Test
    void theHostKnowsItsCoreByTheDigestOfTheModule() throws IOException {
        CoreDigest digest = CoreDigest.of(module());
        assertThat(new BuiltInCore().digest()).isEqualTo(digest);
        assertThat(CoreLock.builtIn().output()).isEqualTo(digest);
    }

    @Test
    void theModuleImportsExactlyTheThree() throws IOException {
        WasmModule module = Parser.parse(module());
        assertThat(module.importSection().stream().map(i -> i.module() + "." + i.name()))
                .containsExactlyInAnyOrder(
                        "wasi_snapshot_preview1.environ_get",
                        "wasi_snapshot_preview1.environ_sizes_get",
                        "wasi_snapshot_preview1.fd_write");
        CoreModule.checkImports(module);
    }

    @Test
    void theModuleExportsExactlyTheNineAndItsMemory() throws IOException {
        CoreReport report = CoreReport.of(module());
        assertThat(report.problems()).isEmpty();
        assertThat(report.exports()).hasSize(10);
        assertThat(report.abi()).contains(2);
        assertThat(report.isLocked()).isTrue();
    }

    @Test
    void theLockIsOfTheseSourcesAndThisModule() throws IOException {
        assertThat(lock().differences(WASM))
                .as("run `make -C wasm` and commit dev.wasm with its lock")
                .isEmpty();
        assertThat(lock().sizeBytes()).isEqualTo(module().length);
    }

    @Test
    void theModuleIsSmallOrSaysWhyNot() throws IOException {
        CoreReport report = CoreReport.of(module());
        boolean isSmall = report.sizeBytes() <= MAX_MODULE_BYTES && report.pages() == 1;
        assertThat(isSmall || !lock().because().isEmpty())
                .as("%s bytes, %s pages", report.sizeBytes(), report.pages())
                .isTrue();
    }

    @Test
    void noMethodOfTheCompiledModuleIsTooLargeToBeCompiled() throws IOException {
        var sizes = new TreeMap<Integer, String>();
        for (Path file : compiledClasses()) {
            ClassModel model = ClassFile.of().parse(file);
            for (var method : model.methods()) {
                method.findAttribute(java.lang.classfile.Attributes.code())
                        .map(CodeAttribute::codeLength)
                        .ifPresent(
                                n -> sizes.put(n, file.getFileName() + "." + method.methodName()));
            }
        }
        assertThat(sizes).isNotEmpty();
        assertThat(sizes.tailMap(HUGE_METHOD_BYTES)).isEmpty();
    }

    @Test
    void noFunctionIsLeftToTheInterpreter() throws IOException {
        for (Path file : compiledClasses()) {
            String constants =
                    new String(
                            Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1);
            assertThat(constants).doesNotContain("CompilerInterpreterMachine");
        }
    }

    private static List<Path> compiledClasses() {
        return List.of(Path.of("target/classes/ai/hanzo/dev/host/core/DevCode.class"));
    }

    @Test
    void theSameToolsGiveTheSameModule(@TempDir Path folder) throws Exception {
        Path rustc = Path.of("/usr/bin/rustc");
        assumeTrue(Files.isExecutable(rustc), "the toolchain of the lock is not here");
        String version = output(List.of(rustc.toString(), "--version"), folder);
        assumeTrue(
                version.contains(lock().tools().getOrDefault("rustc", "?")),
                "another toolchain than that of the lock is here");
        copy(WASM.resolve("core/src"), folder.resolve("core/src"));
        for (String name : List.of("Makefile", "link.sh", "lock.sh")) {
            Files.copy(WASM.resolve(name), folder.resolve(name));
        }
        assertThat(folder.resolve("link.sh").toFile().setExecutable(true)).isTrue();
        output(List.of("make", "dev.wasm"), folder);
        assertThat(Files.readAllBytes(folder.resolve("dev.wasm"))).isEqualTo(module());
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    private static String output(List<String> command, Path folder) throws Exception {
        Process process =
                new ProcessBuilder(new ArrayList<>(command))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String text =
                new String(
                        process.getInputStream().readAllBytes(),
                        java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }
}
