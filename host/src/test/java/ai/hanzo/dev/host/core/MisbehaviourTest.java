package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dylibso.chicory.runtime.InterpreterMachine;
import com.dylibso.chicory.wasm.Parser;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A module that this host was not built with. */
final class MisbehaviourTest extends MisbehaviourCases {
    @Override
    CoreProgram program() {
        return module("misbehave.wasm");
    }

    private static CoreModule module(String name) {
        byte[] wasm = WasmCores.resource("/core/" + name);
        return new CoreModule(CoreDigest.of(wasm), Parser.parse(wasm), InterpreterMachine::new);
    }

    @Test
    void anInterruptFromOutsideIsNotTakenForTheDeadline() throws Exception {
        assertThat(interrupted(Duration.ofMinutes(5))).isEqualTo(CoreException.Code.INTERRUPTED);
    }

    @Test
    void invariant23AnImportTooManyIsRefusedByItsName() {
        assertThatThrownBy(() -> module("wants-more.wasm"))
                .isInstanceOf(CoreException.class)
                .hasMessageContaining("wasi_snapshot_preview1.clock_time_get");
    }
}
