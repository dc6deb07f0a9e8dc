package ai.hanzo.dev.host.core;

import static ai.hanzo.dev.host.core.Driver.exec;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Event.Family;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The thin thread through it all. */
final class CoreFlowTest {

    @Test
    void aTurnRunsFromItsPromptToItsEnd() {
        try (var cores = new WasmCores(CoreLimits.DEFAULTS);
                var driver = Driver.open(cores)) {
            assertThat(ops(driver.turn(1, "fix the test"))).containsExactly("1 ModelAsk");
            assertThat(ops(driver.calls(1, "", exec("make", "test")))).containsExactly("2 Exec");
            assertThat(ops(driver.result(Family.EXEC, 2, "1 failed")))
                    .containsExactly("3 ModelAsk");
            assertThat(ops(driver.says(3, "One test fails.")))
                    .containsExactly("4 Emit", "5 Save", "6 Done");
        }
    }

    private static List<String> ops(List<Action> actions) {
        return actions.stream().map(a -> a.id() + " " + a.op().getClass().getSimpleName()).toList();
    }
}
