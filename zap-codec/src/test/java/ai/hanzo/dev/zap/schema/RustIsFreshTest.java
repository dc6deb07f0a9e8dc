package ai.hanzo.dev.zap.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The core must build without Java, so what is made for it is committed; here it is held fresh. */
final class RustIsFreshTest {

    @Test
    void theRustOfTheCoreIsWhatTheSchemaGives() {
        int exit =
                Main.run(
                        "../wasm/dev.zap",
                        "--roots",
                        "Config,Event,Actions,State",
                        "--rust",
                        "../wasm/core/src/dev_zap.rs",
                        "--check");
        assertThat(exit).as("run `make -C wasm generate`, then `make -C wasm`").isZero();
    }
}
