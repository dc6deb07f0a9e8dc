package ai.hanzo.dev.sandbox;

import static ai.hanzo.dev.sandbox.Answers.done;
import static ai.hanzo.dev.sandbox.Answers.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.sandbox.SearchRequest.Letters;
import ai.hanzo.dev.sandbox.SearchRequest.Wanted;
import ai.hanzo.dev.sandbox.SearchResult.End;
import ai.hanzo.dev.sandbox.Watch.Change;
import ai.hanzo.dev.sandbox.Watch.Changed;
import ai.hanzo.dev.sandbox.Watch.Changes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Searches and watches of a real cell, in trees that mean harm. */
@Timeout(120)
class LooksIT {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String HARD = "(a*)*(a*)*\\1\\2[c]";

    private Scene scene;
    private Cell cell;

    @BeforeEach
    void lease(@TempDir Path root) throws IOException {
        scene = new Scene(root);
        cell = scene.cells().lease(scene.spec(1));
    }

    @AfterEach
    void end() {
        scene.close();
    }

    private void run(String line) {
        assertThat(done(cell.exec(scene.next(), ExecRequest.shell(line))).exit()).isZero();
    }

    private List<String> lines(SearchRequest request) {
        return done(cell.search(request)).matches().stream()
                .map(m -> m.path().toUtf8() + ":" + m.line() + ":" + m.text().toUtf8())
                .toList();
    }

    @Test
    void aSearchFindsLinesAndFilesWhateverLiesBetween() {
        run(
                "mkdir -p src/deep .git; mkfifo src/fifo; ln -s .. src/loop; ln -s /etc/passwd"
                        + " src/out; printf 'int x;\\nint Root;\\n' > src/deep/a.c; echo 'x root' >"
                        + " src/b.h; printf 'root\\0' > src/binary; truncate -s 1G src/huge; echo root"
                        + " > .git/z");
        assertThat(lines(SearchRequest.expression("r[o]{2}t"))).containsExactly("src/b.h:1:x root");
        Wanted anyRoot = new Wanted.Text("ROOT", Letters.CAPITAL_OR_SMALL);
        assertThat(lines(new SearchRequest("src", anyRoot, "**/*.{c,h}", 0, Duration.ZERO)))
                .containsExactly("src/b.h:1:x root", "src/deep/a.c:2:int Root;");
        assertThat(lines(SearchRequest.files("*.c"))).containsExactly("src/deep/a.c:0:");
        SearchResult all = done(cell.search(SearchRequest.expression("root")));
        assertThat(all.end()).isEqualTo(End.WHOLE);
        assertThat(all.binaryFiles()).isEqualTo(1);
        assertThat(all.unreadFiles()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "x, ../y, OUTSIDE",
        "x, out, OUTSIDE",
        "x, fifo, NOT_REGULAR",
        "x, none, NOT_FOUND",
        "a(, '', INVALID",
    })
    void aSearchThatCannotBeIsRefused(String pattern, String path, RefusalCode code) {
        run("mkfifo fifo; ln -s /etc out");
        assertThat(refusal(cell.search(SearchRequest.expression(pattern).in(path))))
                .isEqualTo(code);
    }

    @Test
    void aSearchIsCutWhereItWasAskedTo() {
        run("seq 3000 > many; yes $(seq 100) | head -3000 > wide");
        SearchResult few = done(cell.search(SearchRequest.expression("1").in("many").withLimit(7)));
        assertThat(few.matches()).hasSize(7);
        assertThat(few.end()).isEqualTo(End.LIMIT);
        SearchResult wide =
                done(
                        cell.search(
                                SearchRequest.expression("1")
                                        .in("wide")
                                        .withLimit(SearchRequest.MOST_MATCHES)));
        assertThat(wide.end()).isEqualTo(End.BYTES);
        assertThat(wide.matches()).allMatch(match -> match.text().length() <= 512);
    }

    @Test
    void searchesThatNeverEndHoldUpNothingElse() throws Exception {
        run("head -c 900000 /dev/zero | tr '\\0' a > z");
        Callable<SearchResult> hard =
                () ->
                        done(
                                cell.search(
                                        SearchRequest.expression(HARD)
                                                .withTimeout(Duration.ofMillis(300))));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<SearchResult>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                all.add(threads.submit(hard));
            }
            assertThat(cell.status(scene.next())).isInstanceOf(ActionStatus.Unknown.class);
            run("true");
            for (Future<SearchResult> each : all) {
                assertThat(each.get().end()).isEqualTo(End.TIMED_OUT);
            }
        }
    }

    @Test
    void aWatchTellsWhatHappensToNames() throws IOException {
        run("mkdir d; ln -s d link");
        try (Watch watch = done(cell.watch("link"))) {
            assertThat(watch.path()).isEqualTo(Bytes.utf8("d"));
            assertThat(watch.isDirectory()).isTrue();
            assertThat(watch.next(Duration.ZERO)).isEmpty();
            scene.write("d/new", "x");
            assertThat(watch.next(LONG))
                    .contains(changes(1, "new", Change.CREATED, Change.WRITTEN));
            Files.delete(scene.workspace().resolve("d/new"));
            assertThat(watch.next(LONG)).contains(changes(2, "new", Change.REMOVED));
            Files.delete(scene.workspace().resolve("d"));
            Changes over = new Changes(3, List.of(), false, true);
            assertThat(watch.next(LONG)).contains(over);
            assertThat(watch.next(LONG)).contains(over);
        }
    }

    private static Changes changes(long sequence, String name, Change... what) {
        return new Changes(
                sequence, List.of(new Changed(Bytes.utf8(name), Set.of(what))), false, false);
    }

    @Test
    void aFloodOfChangesIsTheWordToLookAgain() throws IOException {
        run("mkdir d");
        try (Watch watch = done(cell.watch("d"))) {
            scene.write("d/first", "x");
            assertThat(watch.next(LONG)).isPresent();
            run(
                    "cd d; for i in $(seq 2000); do : > $i; done; for i in $(seq 2000); do echo >"
                            + " $i; done");
            boolean mustRescan = false;
            while (!mustRescan) {
                mustRescan = watch.next(LONG).orElseThrow().mustRescan();
            }
            assertThat(mustRescan).isTrue();
        }
    }

    @Test
    void aWatchEndsWithItsLeaseAndWithItsClose() {
        Watch watch = done(cell.watch(""));
        Watch closed = done(cell.watch(""));
        closed.close();
        assertThat(codeOf(closed)).isEqualTo(CellException.Code.CLOSED);
        try (Cell next = scene.cells().lease(scene.spec(2))) {
            assertThat(cell.awaitEnd(LONG)).isPresent();
            assertThat(codeOf(watch)).isEqualTo(CellException.Code.FENCED);
            assertThat(done(next.watch(".")).path()).isEqualTo(Bytes.utf8("."));
        }
    }

    private static CellException.Code codeOf(Watch watch) {
        return catchThrowableOfType(CellException.class, () -> watch.next(LONG)).code();
    }

    @Test
    void watchesAreBoundedAndStayBeneath() {
        run("ln -s /etc out");
        assertThat(refusal(cell.watch("out"))).isEqualTo(RefusalCode.OUTSIDE);
        assertThat(refusal(cell.watch("../x"))).isEqualTo(RefusalCode.OUTSIDE);
        assertThat(refusal(cell.watch("none"))).isEqualTo(RefusalCode.NOT_FOUND);
        for (int i = 0; i < 64; i++) {
            assertThat(cell.watch("")).isInstanceOf(Reply.Done.class);
        }
        assertThat(refusal(cell.watch(""))).isEqualTo(RefusalCode.BUSY);
    }
}
