package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What must hold for a core to be built in: runs in every build. A reason for going over a bound is
 * a line {@code because-…} in the lock.
 */
final class BuildGateTest {
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
        assertThat(BuildGates.interfaces(report)).isEmpty();
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
        assertThat(BuildGates.size(CoreReport.of(module()), lock())).isEmpty();
    }

    private static CoreReport sized(int bytes, int pages) {
        byte[] module =
                new WasmFile()
                        .section(5, WasmFile.bytes(1, 0, pages))
                        .section(0, name(0))
                        .toBytes();
        int more = bytes - module.length;
        // The section's length takes two bytes more when it is that large.
        byte[] filled = name(more - 2);
        return CoreReport.of(
                new WasmFile()
                        .section(5, WasmFile.bytes(1, 0, pages))
                        .section(0, filled)
                        .toBytes());
    }

    /** A custom section without a name. */
    private static byte[] name(int fill) {
        return new byte[1 + fill];
    }

    private static CoreLock excusing(String... because) {
        return CoreLock.parse(
                "output " + "0".repeat(64) + " 1\n" + String.join("\n", because) + "\n");
    }

    @Test
    void aReasonExcusesUpToItsFigureAndNoFurther() {
        CoreReport atBound = sized(BuildGates.MAX_MODULE_BYTES, 1);
        CoreReport large = sized(BuildGates.MAX_MODULE_BYTES + 1, 1);
        assertThat(large.sizeBytes()).isEqualTo(BuildGates.MAX_MODULE_BYTES + 1);
        assertThat(BuildGates.size(atBound, excusing())).isEmpty();
        assertThat(BuildGates.size(large, excusing()))
                .singleElement()
                .asString()
                .contains("153601 bytes, more than 153600");
        assertThat(BuildGates.size(large, excusing("because-size 153601 tables"))).isEmpty();
        assertThat(BuildGates.size(large, excusing("because-size 153600 tables"))).hasSize(1);
        assertThat(BuildGates.size(large, excusing("because-pages 9 tables"))).hasSize(1);
        CoreReport wide = sized(10_000, 2);
        assertThat(BuildGates.size(wide, excusing("because-size 999999 tables")))
                .singleElement()
                .asString()
                .contains("2 pages, more than 1");
        assertThat(BuildGates.size(wide, excusing("because-pages 2 tables"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "because it had to be",
                "because-size",
                "because-size much",
                "because-size 160000",
                "because-size 160000 ",
                "because-size: 160000 tables",
                "because-methods 9000 tables"
            })
    void aReasonWithoutItsFigureIsNoLock(String line) {
        assertThatThrownBy(() -> excusing(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("because-size BYTES REASON");
    }

    @Test
    void theLockIsWrittenWithTheReasonsThatItHad(@TempDir Path folder) throws Exception {
        copy(WASM.resolve("core/src"), folder.resolve("core/src"));
        for (String name : List.of("link.sh", "lock.sh", "dev.wasm", "dev.wasm.lock")) {
            Files.copy(WASM.resolve(name), folder.resolve(name));
        }
        String reason = "because-size 160000 the tables of \"all\" * that\n";
        Files.writeString(
                folder.resolve("dev.wasm.lock"), reason, java.nio.file.StandardOpenOption.APPEND);
        // Tools that answer nothing: what they are is not what is tested.
        for (String tool : List.of("rustc", "rust-lld")) {
            Path script = Files.writeString(folder.resolve(tool), "#!/bin/sh\n");
            assertThat(script.toFile().setExecutable(true)).isTrue();
        }
        String path = "PATH=" + folder + ":" + System.getenv("PATH");
        String made = output(List.of("env", path, "sh", "lock.sh", "rustc", "flags"), folder);
        assertThat(CoreLock.parse(made).because())
                .containsExactly(
                        new CoreLock.Because("size", 160_000, "the tables of \"all\" * that"));
    }

    @Test
    void aForeignImportIsAViolation() {
        byte[] wants = WasmCores.resource("/core/wants-more.wasm");
        assertThat(BuildGates.interfaces(CoreReport.of(wants)))
                .singleElement()
                .asString()
                .contains("wasi_snapshot_preview1.clock_time_get");
    }

    @Test
    void noMethodOfTheCompiledModuleIsTooLargeToBeCompiled() throws IOException {
        assertThat(BuildGates.methods(compiled())).isEmpty();
        assertThat(ClassFile.of().parse(compiled()).methods()).hasSizeGreaterThan(100);
    }

    @Test
    void aMethodOfEightThousandBytesIsAViolation() {
        assertThat(BuildGates.methods(method(7_999))).isEmpty();
        assertThat(BuildGates.methods(method(8_000)))
                .containsExactly("large has 8000 bytes, which HotSpot never compiles");
    }

    /** A class with one method of so many bytes. */
    private static byte[] method(int bytes) {
        return ClassFile.of()
                .build(
                        ClassDesc.of("Large"),
                        made ->
                                made.withMethodBody(
                                        "large",
                                        MethodTypeDesc.of(ConstantDescs.CD_void),
                                        ClassFile.ACC_STATIC,
                                        code -> {
                                            for (int i = 1; i < bytes; i++) {
                                                code.nop();
                                            }
                                            code.return_();
                                        }));
    }

    @Test
    void noFunctionIsLeftToTheInterpreter() throws IOException {
        assertThat(BuildGates.interpreted(compiled())).isEmpty();
        ClassDesc machine =
                ClassDesc.of("com.dylibso.chicory.runtime.internal.CompilerInterpreterMachine");
        byte[] left =
                ClassFile.of()
                        .build(ClassDesc.of("Left"), made -> made.withInterfaceSymbols(machine));
        assertThat(BuildGates.interpreted(left)).hasSize(1);
    }

    private static byte[] compiled() throws IOException {
        return Files.readAllBytes(Path.of("target/classes/ai/hanzo/dev/host/core/DevCode.class"));
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
