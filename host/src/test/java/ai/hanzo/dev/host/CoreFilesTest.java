package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.host.surface.cli.Programs.CoreFacts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code hanzo dev core verify} finds in real modules. */
final class CoreFilesTest {
    private static final Path MODULE = Path.of("../wasm/dev.wasm");

    private final CoreFiles files = new CoreFiles();
    @TempDir private Path folder = Path.of("/");

    private Path write(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    @Test
    void theBuiltInCoreIsSoundAndLocked() {
        CoreFacts facts = files.builtIn();
        assertThat(facts.problems()).isEmpty();
        assertThat(facts.lines())
                .contains(
                        "digest  " + facts.digest(),
                        "abi     2",
                        "lock    matches this host's lock")
                .filteredOn(line -> line.startsWith("export "))
                .hasSize(10);
        assertThat(facts.lines()).filteredOn(line -> line.startsWith("import ")).hasSize(3);
    }

    @Test
    void aFileIsHeldToTheLockBesideIt() throws IOException {
        assertThat(files.file(MODULE).problems()).isEmpty();
        Path copy = write("dev.wasm", Files.readAllBytes(MODULE));
        String lock = Files.readString(Path.of("../wasm/dev.wasm.lock"));
        Files.writeString(
                folder.resolve("dev.wasm.lock"),
                lock.replace(files.builtIn().digest(), "0".repeat(64)));
        assertThat(files.file(copy).problems())
                .singleElement()
                .asString()
                .contains("dev.wasm.lock", "make -C wasm");
    }

    @Test
    void aFileWithoutALockIsHeldToTheAbiOnly() throws IOException {
        Path copy = write("other.wasm", Files.readAllBytes(MODULE));
        CoreFacts facts = files.file(copy);
        assertThat(facts.problems()).isEmpty();
        assertThat(facts.lines()).contains("lock    matches this host's lock");
    }

    @Test
    void aModuleThatWantsMoreIsNamedWithWhatItWants() {
        CoreFacts facts = files.file(Path.of("src/test/resources/core/wants-more.wasm"));
        assertThat(facts.problems())
                .singleElement()
                .asString()
                .contains("wasi_snapshot_preview1.clock_time_get");
        assertThat(facts.lines()).contains("lock    is not that of this host's lock");
    }

    @Test
    void whatIsNoModuleIsASentence() throws IOException {
        byte[] module = Files.readAllBytes(MODULE);
        for (int length : new int[] {0, 3, 8, 100, module.length / 2, module.length - 1}) {
            Path cut = write("cut.wasm", Arrays.copyOf(module, length));
            assertThat(files.file(cut).problems()).as("%s bytes", length).isNotEmpty();
        }
        assertThat(
                        files.file(
                                        write(
                                                "text.wasm",
                                                "(module)"
                                                        .getBytes(
                                                                java.nio.charset.StandardCharsets
                                                                        .UTF_8)))
                                .problems())
                .hasSize(1);
    }

    @Test
    void aFileThatIsNotThereAndALockThatIsNoneAreSentences() throws IOException {
        assertThatThrownBy(() -> files.file(folder.resolve("none.wasm")))
                .hasMessageContaining("Cannot read");
        Path copy = write("dev.wasm", Files.readAllBytes(MODULE));
        Files.writeString(folder.resolve("dev.wasm.lock"), "output what");
        assertThatThrownBy(() -> files.file(copy)).hasMessageContaining("dev.wasm.lock is no lock");
    }

    @Test
    void whatIsNoRegularFileIsNotOpened() throws Exception {
        Path pipe = folder.resolve("pipe.wasm");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        for (Path none : List.of(pipe, Path.of("/dev/zero"))) {
            assertThatThrownBy(() -> files.file(none))
                    .hasMessage("Cannot read " + none + " (it is no regular file); name a module.");
        }
        assertThatThrownBy(() -> files.file(folder))
                .hasMessage("Cannot read " + folder + " (it is a folder); name a module.");
    }

    @Test
    void aLockThatIsNoFileIsNamedAsWhatItIs() throws Exception {
        Path copy = write("dev.wasm", Files.readAllBytes(MODULE));
        Path lock = Files.createDirectory(folder.resolve("dev.wasm.lock"));
        String taken = "; it is taken for the lock; move it away.";
        assertThatThrownBy(() -> files.file(copy))
                .hasMessage("Cannot read " + lock + " (it is a folder)" + taken);
        Files.delete(lock);
        assertThat(new ProcessBuilder("mkfifo", lock.toString()).start().waitFor()).isZero();
        assertThatThrownBy(() -> files.file(copy))
                .hasMessage("Cannot read " + lock + " (it is no regular file)" + taken);
    }

    @Test
    void whatIsLargerThanAnyCoreIsNotReadToItsEnd() throws IOException {
        Path large = folder.resolve("large.wasm");
        try (var file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength((16 << 20) + 1); // sparse
        }
        assertThatThrownBy(() -> files.file(large)).hasMessageContaining("larger than 16 MiB");
    }
}
