package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The core is warmed up by work that looks like work. */
final class WarmUpTest {
    @Test
    void itTakesTheStepsThatItIsToldAndMore() {
        try (Cores cores = new WasmCores(CoreLimits.DEFAULTS)) {
            assertThat(new WarmUp(cores, 1_000).run()).isEqualTo(1_000);
        }
    }

    @Test
    void itEndsWhenItIsClosed() {
        try (Cores cores = new WasmCores(CoreLimits.DEFAULTS)) {
            WarmUp warmUp = new WarmUp(cores);
            warmUp.close();
            assertThat(warmUp.run()).isZero();
        }
    }

    @Test
    void itEndsWhenTheCoresAreClosed() {
        Cores cores = new WasmCores(CoreLimits.DEFAULTS);
        cores.close();
        try (WarmUp warmUp = new WarmUp(cores)) {
            assertThat(warmUp.run()).isZero();
        }
    }
}
