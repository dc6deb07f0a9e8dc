package ai.hanzo.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ai.hanzo.dev.protocol.id.ActionId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Cells kept ready, as a client sees them; {@code native/landlock/test/warm.c} has the rest. */
@Timeout(120)
class WarmIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    private Scene scene;

    @BeforeEach
    void open(@TempDir Path root) throws IOException {
        scene = new Scene(root);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void aLeaseTakesACellThatWasKeptReadyAndAnotherTakesItsPlace() throws IOException {
        CellsConfig config = CellsConfig.in(scene.supervisor()).withWarm(1);
        try (Cells cells = Cells.open(config)) {
            await().atMost(LONG).until(() -> cells.ready() == 1);
            try (Cell cell = cells.lease(scene.spec(1))) {
                assertThat(cells.list()).singleElement().matches(CellSummary::isWarm);
                assertThat(cell.exec(new ActionId(1), ExecRequest.shell("pwd >where")))
                        .isInstanceOf(Reply.Done.class);
                assertThat(scene.read("where")).isEqualTo(cell.workspace() + "\n");
            }
            await().atMost(LONG).until(() -> cells.ready() == 1);
        }
        try (Cells later = Cells.open(CellsConfig.in(scene.supervisor()))) {
            await().atMost(LONG).until(() -> later.ready() == 0);
        }
    }
}
