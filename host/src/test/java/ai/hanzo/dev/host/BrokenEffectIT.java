package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.Cells;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The database fails while a command is under way, at a moment when nothing can be tried again: the
 * session is taken up anew from the ledger, and the command runs once.
 */
@Timeout(120)
class BrokenEffectIT {
    @TempDir Path root;

    /** When the database fails. */
    enum Moment {
        BEFORE_IT_IS_SENT,
        BEFORE_ITS_OUTCOME_IS_KEPT
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void anEffectWithoutAnOutcomeIsTakenUpAgain(Moment moment) throws IOException {
        var isDue = new AtomicBoolean(true);
        UnaryOperator<Cells> tap = cells -> faulty(cells, moment, isDue);
        try (TestHost host = new TestHost(root.resolve("home"), Databases.fresh(), tap)) {
            Path project = Projects.make(root);
            String script = new Scripts().sh("echo ran >> marks; cat marks").say("Done.").text();
            Ran ran = host.in(project).exec(script, "Run it.");
            assertThat(ran.exit()).as(ran.err() + ran.out()).isZero();
            assertThat(isDue).isFalse();
            assertThat(Projects.read(project.resolve("marks"))).isEqualTo("ran\n");
            List<JsonNode> lines = Lines.of(ran.out());
            JsonNode exec = Lines.actions(lines, "exec").getFirst();
            assertThat(Lines.result(lines, exec).path("stdout").asText()).isEqualTo("ran\n");
        }
    }

    private static Cells faulty(Cells real, Moment moment, AtomicBoolean isDue) {
        return TappedCells.proxy(
                Cells.class,
                (_, method, arguments) -> {
                    Object answer = TappedCells.call(real, method, arguments);
                    return answer instanceof Cell cell ? faulty(cell, moment, isDue) : answer;
                });
    }

    private static Cell faulty(Cell real, Moment moment, AtomicBoolean isDue) {
        return TappedCells.proxy(
                Cell.class,
                (_, method, arguments) -> {
                    if (!method.getName().equals("exec") || !isDue.compareAndSet(true, false)) {
                        return TappedCells.call(real, method, arguments);
                    }
                    if (moment == Moment.BEFORE_ITS_OUTCOME_IS_KEPT) {
                        TappedCells.call(real, method, arguments);
                    }
                    throw LedgerException.databaseGone("in a test", new IOException("gone"));
                });
    }
}
