package ai.hanzo.dev.host.core;

import static ai.hanzo.dev.host.core.WasmFile.bytes;
import static ai.hanzo.dev.host.core.WasmFile.join;
import static ai.hanzo.dev.host.core.WasmFile.leb;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dylibso.chicory.runtime.InterpreterMachine;
import com.dylibso.chicory.wasm.Parser;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a report says of files that were made to mislead whoever reads them. */
@Timeout(120)
final class CoreReportTest {
    /** A function that begins a loop and goes back to its begin. */
    private static final byte[] FOREVER = bytes(0x03, 0x40, 0x0C, 0, 0x0B);

    private static CoreReport report(WasmFile file) {
        return CoreReport.of(file.toBytes());
    }

    @Test
    void theSmallCoreIsSound() {
        CoreReport report = report(new WasmFile());
        assertThat(report.problems()).isEmpty();
        assertThat(report.abi()).contains(2);
        assertThat(report.pages()).isEqualTo(1);
        assertThat(report.exports())
                .hasSize(10)
                .contains("dev_abi [] -> [I32]", "dev_step [I64, I32, I32, I32] -> [I32]");
    }

    @Test
    void aStartFunctionIsRefusedBeforeItRuns() {
        byte[] wasm = WasmFile.thatStartsALoop();
        assertThat(CoreReport.of(wasm).problems())
                .containsExactly("the module has a start function, which no core may have");
        assertThatThrownBy(() ->
                        new CoreModule(
                                CoreDigest.of(wasm), Parser.parse(wasm), InterpreterMachine::new))
                .isInstanceOf(CoreException.class)
                .hasMessage("the module has a start function, which no core may have");
    }

    @Test
    void anAbiThatIsNeverAnsweredIsADeadline() {
        CoreReport report = report(new WasmFile().body(0, join(FOREVER, bytes(0x41, 2))));
        assertThat(report.problems()).singleElement().asString().contains("within 5000 ms");
    }

    static Stream<Arguments> misleading() {
        return Stream.of(
                Arguments.of(
                        new WasmFile().export("far", 0, 99_999),
                        "the export far names the function 99999, which the module does not have"),
                Arguments.of(
                        new WasmFile().export("other", 2, 7),
                        "the export other names the memory 7, which the module does not have"),
                Arguments.of(
                        new WasmFile().section(0, bytes(0xFF, 0xFF, 0xFF, 0xFF, 0x0F)),
                        "the custom section of the module cannot be read: it has a length of"
                                + " 4294967295, past its end, at byte 10"),
                Arguments.of(
                        new WasmFile().export("dev_abi", 0, 0),
                        "the module has the export dev_abi twice"),
                Arguments.of(
                        new WasmFile().export("more", 0, 0),
                        "the module has the export more too many"),
                Arguments.of(
                        new WasmFile().section(5, bytes(2, 0, 1, 0, 1)),
                        "the module has 2 memories, a core has one"),
                Arguments.of(
                        new WasmFile().section(4, join(bytes(1, 0x70, 0), leb(9_999_999))),
                        "the module has a table of 9999999 entries, a core has at most 4096"),
                Arguments.of(
                        new WasmFile().section(4, bytes(2, 0x70, 0, 1, 0x70, 0, 1)),
                        "the module has more than one table"),
                Arguments.of(
                        new WasmFile()
                                .section(
                                        11,
                                        join(bytes(1, 0, 0x41), leb(1 << 20), bytes(0x0B, 1, 7))),
                        "data"),
                Arguments.of(new WasmFile().section(9, bytes(1, 0, 0x41, 5, 0x0B, 1, 0)), "table"),
                Arguments.of(new WasmFile().section(5, bytes(1, 0, 0)), "no pages of memory"));
    }

    @ParameterizedTest
    @MethodSource("misleading")
    void eachProblemIsASentenceBesideAllThatCouldBeRead(WasmFile file, String problem) {
        CoreReport report = report(file);
        assertThat(report.problems()).singleElement().asString().contains(problem);
        assertThat(report.lines())
                .contains("digest  " + CoreDigest.of(file.toBytes()))
                .contains("export  dev_abi [] -> [I32]");
    }

    @Test
    void codeThatIsNestedMillionsDeepIsNotParsed() {
        byte[] blocks = new byte[4 << 20];
        for (int i = 0; i < blocks.length; i += 2) {
            blocks[i] = 0x02;
            blocks[i + 1] = 0x40;
        }
        assertThat(report(new WasmFile().body(0, blocks)).problems())
                .containsExactly(
                        "function 0 of the module has 4194306 bytes of code, a core's has at most"
                                + " 65536");
    }

    @Test
    void aFileOfNothingButManyThingsIsToldInShort() {
        byte[] types = new byte[3 << 20];
        Arrays.fill(types, (byte) 0);
        for (int i = 0; i < types.length; i += 3) {
            types[i] = 0x60;
        }
        assertThat(report(new WasmFile().section(1, join(leb(1 << 20), types))).problems())
                .containsExactly("the module has 1048576 types, a core has at most 1000");
    }

    @Test
    void everyDamagedByteIsToldOrHarmless() {
        byte[] good = new WasmFile().toBytes();
        var random = new SplittableRandom(11);
        for (int i = 0; i < good.length; i++) {
            byte[] bad = good.clone();
            bad[i] ^= (byte) (1 << random.nextInt(8));
            assertSentences(CoreReport.of(bad));
            assertSentences(CoreReport.of(Arrays.copyOf(good, i)));
        }
    }

    private static void assertSentences(CoreReport report) {
        assertThat(report.lines()).isNotEmpty();
        List<String> problems = report.problems();
        assertThat(problems)
                .allSatisfy(problem ->
                        assertThat(problem)
                                .contains(" ")
                                .doesNotContain("Exception:", "com.dylibso", "@")
                                .doesNotEndWith("null"));
    }
}
