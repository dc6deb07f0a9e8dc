package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.dylibso.chicory.runtime.ImportFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.InterpreterMachine;
import com.dylibso.chicory.wasm.Parser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The host functions of a core against hostile pointers and lengths. */
final class WasiHostTest {
    private static final long SUCCESS = 0;
    private static final long BADF = 8;
    private static final long FAULT = 21;
    private static final long INVAL = 28;
    private static final int PAGE = 65_536;

    private final List<String> lines = new ArrayList<>();
    private ImportValues imports;
    private FlatMemory memory;
    private Instance instance;

    @BeforeEach
    void instantiate() {
        imports = new WasiHost(Map.of("LEVEL", "debug", "A", "b"), lines::add).imports();
        memory = new FlatMemory(1, 1);
        instance =
                Instance.builder(Parser.parse(WasmCores.resource("/core/misbehave.wasm")))
                        .withMachineFactory(InterpreterMachine::new)
                        .withMemoryFactory(_ -> memory)
                        .build();
    }

    private long call(String name, long... args) {
        ImportFunction function =
                Arrays.stream(imports.functions())
                        .filter(f -> f.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        return function.handle().apply(instance, args)[0];
    }

    private void run(int at, int ptr, int length) {
        memory.writeI32(at, ptr);
        memory.writeI32(at + 4, length);
    }

    @Test
    void theEnvironmentIsWrittenWhereItIsWanted() {
        assertThat(call("environ_sizes_get", 100, 104)).isEqualTo(SUCCESS);
        assertThat(memory.readInt(100)).isEqualTo(2);
        assertThat(memory.readInt(104)).isEqualTo("A=b\0LEVEL=debug\0".length());
        assertThat(call("environ_get", 200, 300)).isEqualTo(SUCCESS);
        assertThat(memory.readInt(200)).isEqualTo(300);
        assertThat(memory.readInt(204)).isEqualTo(304);
        assertThat(new String(memory.readBytes(300, 16), StandardCharsets.UTF_8))
                .isEqualTo("A=b\0LEVEL=debug\0");
    }

    @Test
    void pointersOutsideOfTheMemoryAreFaults() {
        for (long bad : new long[] {PAGE, PAGE - 3, -1, Integer.MIN_VALUE, 0x7fff_fff0L}) {
            assertThat(call("environ_sizes_get", bad, 0)).isEqualTo(FAULT);
            assertThat(call("environ_sizes_get", 0, bad)).isEqualTo(FAULT);
            assertThat(call("environ_get", bad, 0)).isEqualTo(FAULT);
            assertThat(call("environ_get", 0, bad)).isEqualTo(FAULT);
            assertThat(call("fd_write", 2, bad, 1, 0)).isEqualTo(FAULT);
            assertThat(call("fd_write", 2, 64, 0, bad)).isEqualTo(FAULT);
        }
        assertThat(lines).isEmpty();
    }

    @Test
    void onlyDescriptorTwoIsThere() {
        for (long fd : new long[] {-1, 0, 1, 3, 4, 1000, Integer.MAX_VALUE}) {
            assertThat(call("fd_write", fd, 0, 0, 8)).isEqualTo(BADF);
        }
    }

    @Test
    void aLineIsMadeOfItsRunsWithoutControlCharacters() {
        byte[] text = "one\ntwo\u001b[31m\u0000".getBytes(StandardCharsets.UTF_8);
        memory.write(1000, text);
        run(64, 1000, 3);
        run(72, 1003, text.length - 3);
        assertThat(call("fd_write", 2, 64, 2, 8)).isEqualTo(SUCCESS);
        assertThat(memory.readInt(8)).isEqualTo(text.length);
        assertThat(lines).containsExactly("one two?[31m?");
    }

    @Test
    void aRunOutsideOfTheMemoryIsAFault() {
        run(64, PAGE - 2, 3);
        assertThat(call("fd_write", 2, 64, 1, 8)).isEqualTo(FAULT);
        run(64, 0, -1);
        assertThat(call("fd_write", 2, 64, 1, 8)).isEqualTo(FAULT);
        run(64, -1, 1);
        assertThat(call("fd_write", 2, 64, 1, 8)).isEqualTo(FAULT);
    }

    @Test
    void tooManyRunsAreRefused() {
        assertThat(call("fd_write", 2, 64, 17, 8)).isEqualTo(INVAL);
        assertThat(call("fd_write", 2, 64, -1, 8)).isEqualTo(INVAL);
        assertThat(call("fd_write", 2, 64, Integer.MAX_VALUE, 8)).isEqualTo(INVAL);
    }

    @Test
    void aLongLineIsCut() {
        run(64, 0, PAGE);
        assertThat(call("fd_write", 2, 64, 1, 8)).isEqualTo(SUCCESS);
        assertThat(lines.getFirst().length()).isLessThanOrEqualTo(1024);
    }
}
