package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The same module, linked by the build as {@code dev.wasm} is: its loops end at their deadline. */
final class LinkedMisbehaviourTest extends MisbehaviourCases {
    private record Linked(CoreDigest digest) implements CoreProgram {
        @Override
        public Loaded load(WasiHost host, int maximumPages) {
            FlatMemory memory =
                    CoreProgram.memory(
                            MisbehaveCode.initialPages(),
                            MisbehaveCode.maximumPages(),
                            maximumPages);
            var code = new MisbehaveCode(memory, host);
            code.load();
            return new Loaded(code, memory);
        }
    }

    @Override
    CoreProgram program() {
        return new Linked(new CoreDigest(MisbehaveCode.digest()));
    }

    @Test
    void anInterruptFromOutsideDoesNotReachIt() throws Exception {
        assertThat(interrupted(Duration.ofMillis(100))).isEqualTo(CoreException.Code.DEADLINE);
    }
}
