package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.wire.ActionWire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every state that a release wrote is restored by all that follow, and goes on as it would have.
 */
final class GoldenSnapshotsTest {
    private static Cores cores;

    @BeforeAll
    static void load() {
        cores = new WasmCores(CoreLimits.DEFAULTS);
    }

    @AfterAll
    static void unload() {
        cores.close();
    }

    private static List<Path> states(int format) throws IOException {
        Path folder = GoldenSnapshots.FOLDER.resolve("format-" + format);
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.toString().endsWith(".state")).sorted().toList();
        }
    }

    private static Bytes read(Path state, String kind) throws IOException {
        String name = state.getFileName().toString().replace(".state", "." + kind);
        return Bytes.wrap(Files.readAllBytes(state.resolveSibling(name)));
    }

    @Test
    void everyFormatHasItsStates() throws IOException {
        for (int format = 1; format <= SnapshotFormat.CURRENT; format++) {
            assertThat(states(format)).as("format %s", format).hasSizeGreaterThanOrEqualTo(7);
        }
    }

    @Test
    void aStateOfAnyFormatGoesOnAsItWouldHave() throws IOException {
        for (int format = 1; format <= SnapshotFormat.CURRENT; format++) {
            for (Path state : states(format)) {
                try (Core core = cores.restore(cores.current(), read(state, "state"))) {
                    Bytes actions = core.step(read(state, "event"));
                    assertThat(ActionWire.decodeBatch(actions))
                            .as("%s", state)
                            .isEqualTo(ActionWire.decodeBatch(read(state, "actions")));
                }
            }
        }
    }

    @Test
    void aStateOfTheCurrentFormatIsWrittenAsItWas() throws IOException {
        for (Path state : states(SnapshotFormat.CURRENT)) {
            Bytes bytes = read(state, "state");
            try (Core core = cores.restore(cores.current(), bytes)) {
                assertThat(core.snapshot()).as("%s", state).isEqualTo(bytes);
            }
        }
    }
}
