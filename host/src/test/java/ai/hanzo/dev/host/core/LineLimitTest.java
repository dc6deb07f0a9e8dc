package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.core.CoreException.Code;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.wire.ConfigWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What all cores of a host may say together. */
final class LineLimitTest {
    private long nanos;
    private final List<String> lines = new ArrayList<>();
    private final LineLimit limit =
            new LineLimit(3, Duration.ofSeconds(60), () -> nanos, lines::add);

    @Test
    void aWindowLetsSoManyThroughAndTheNextSaysHowManyItMissed() {
        for (int i = 1; i <= 10; i++) {
            limit.accept("line " + i);
        }
        assertThat(lines).containsExactly("line 1", "line 2", "line 3");
        nanos = Duration.ofSeconds(60).toNanos() - 1;
        limit.accept("line 11");
        assertThat(lines).hasSize(3);
        nanos++;
        limit.accept("line 12");
        assertThat(lines).endsWith("line 3", "8 lines were left out", "line 12");
        limit.accept("line 13");
        assertThat(lines).endsWith("line 12", "line 13");
    }

    /** One session may say 200 lines in its life; a hundred of them may not say 20,000. */
    @Test
    void allSessionsOfAHostShareTheLimit() {
        try (Cores cores = new WasmCores(CoreLimits.DEFAULTS, 1, limit)) {
            for (int i = 0; i < 100; i++) {
                try (Core core = cores.open(cores.current(), config())) {
                    core.step(Bytes.utf8("junk"));
                } catch (CoreException e) {
                    assertThat(e.code()).isEqualTo(Code.MALFORMED);
                }
            }
        }
        assertThat(lines).hasSize(3).allMatch(line -> line.startsWith("core: event refused: "));
    }

    private static Bytes config() {
        return ConfigWire.encode(Driver.config(ai.hanzo.dev.protocol.Config.Limits.DEFAULTS));
    }
}
