package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The same module, linked by the build as {@code dev.wasm} is: its loops end at their deadline. */
final class LinkedMisbehaviourTest extends MisbehaviourCases {
    private static final class Linked extends LinkedProgram {
        Linked() {
            super(
                    MisbehaveCode.digest(),
                    MisbehaveCode.initialPages(),
                    MisbehaveCode.maximumPages());
        }

        @Override
        LinkedCode code(FlatMemory memory, WasiHost host) {
            return new MisbehaveCode(memory, host);
        }
    }

    @Override
    CoreProgram program() {
        return new Linked();
    }

    @Test
    void anInterruptFromOutsideDoesNotReachIt() throws Exception {
        assertThat(interrupted(Duration.ofMillis(100))).isEqualTo(CoreException.Code.DEADLINE);
    }
}
