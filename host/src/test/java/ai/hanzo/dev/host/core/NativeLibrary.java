package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code libdev.so}, built of the sources as they stand, where their toolchain is. */
final class NativeLibrary {
    private static final Path WASM = Path.of("../wasm").toAbsolutePath().normalize();
    private static final Path RUSTC = Path.of("/usr/bin/rustc");

    private NativeLibrary() {}

    /** The library; a test without the toolchain is skipped. */
    static Path built() throws Exception {
        assumeTrue(Files.isExecutable(RUSTC), "the toolchain of the lock is not here");
        run(List.of("make", "-s", "-C", WASM.toString(), "native"));
        return WASM.resolve("build/libdev.so");
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text =
                new String(
                        process.getInputStream().readAllBytes(),
                        java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
    }
}
