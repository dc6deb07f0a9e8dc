package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.wire.ConfigWire;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A session that begins as a copy is like one that the core has opened itself. */
final class TemplatesTest {
    private final Cores cores = new WasmCores(CoreLimits.DEFAULTS);

    @AfterEach
    void close() {
        cores.close();
    }

    private static Bytes config(String prelude) {
        return ConfigWire.encode(
                new Config(prelude, "Use tabs.", "", Driver.TOOLS, Config.Limits.DEFAULTS));
    }

    private Bytes stateOf(Bytes config) {
        try (Core core = cores.open(cores.current(), config)) {
            return core.snapshot();
        }
    }

    @Test
    void aCopyIsAsTheFirst() {
        Bytes first = stateOf(config("a"));
        assertThat(stateOf(config("a"))).isEqualTo(first);
        assertThat(stateOf(config("b"))).isNotEqualTo(first);
        assertThat(stateOf(config("a"))).isEqualTo(first);
    }

    @Test
    void whatASessionDoesIsNotInTheNext() {
        Bytes first = stateOf(config("a"));
        try (Driver driver =
                Driver.open(
                        cores,
                        new Config("a", "Use tabs.", "", Driver.TOOLS, Config.Limits.DEFAULTS))) {
            driver.turn(1, "go");
            assertThat(driver.snapshot()).isNotEqualTo(first);
            assertThat(stateOf(config("a"))).isEqualTo(first);
        }
    }

    @Test
    void onlySomeAreKept() {
        Bytes first = stateOf(config("0"));
        for (int i = 1; i < 30; i++) {
            stateOf(config(Integer.toString(i)));
        }
        assertThat(stateOf(config("0"))).isEqualTo(first);
    }

    @Test
    void aConfigThatIsRefusedIsRefusedAgain() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> cores.open(cores.current(), Bytes.utf8("junk")))
                    .isInstanceOf(CoreException.class);
        }
    }

    @Test
    void nothingIsOpenedAfterTheClose() {
        stateOf(config("a"));
        cores.close();
        assertThatThrownBy(() -> cores.open(cores.current(), config("a")))
                .isInstanceOfSatisfying(
                        CoreException.class,
                        e -> assertThat(e.code()).isEqualTo(CoreException.Code.HANDLE));
    }
}
