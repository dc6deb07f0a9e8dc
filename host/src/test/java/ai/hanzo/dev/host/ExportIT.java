package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import ai.hanzo.dev.ledger.ActionRow;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A session of one host goes on at another, which shares nothing with the first but a file. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExportIT {
    private Path root;
    private Path homeThere;
    private TestHost here;
    private TestHost there;
    private Path project;

    @BeforeAll
    void open(@TempDir Path directory) {
        root = directory;
        homeThere = root.resolve("home-there");
        here = new TestHost(root.resolve("home-here"));
        there = new TestHost(homeThere);
    }

    @BeforeEach
    void makeProject() {
        project = Projects.make(root);
    }

    @AfterAll
    void close() {
        here.close();
        there.close();
    }

    private Session worked(String script) {
        Ran ran = here.in(project).exec(script, "Go.");
        assertThat(ran.exit()).as(ran.out() + ran.err()).isIn(0, 3);
        return session();
    }

    private Session session() {
        return here.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
    }

    private Path exported(SessionId id) {
        Path file = root.resolve(id + ".hanzo");
        Ran ran = here.in(root).run("export", id.value(), "-o", file.toString());
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out()).isEqualTo(file + "\n");
        return file;
    }

    private Ran imported(Path file, Path directory) {
        return there.in(root).run("import", file.toString(), directory.toString());
    }

    private static List<Entry> entries(TestHost host, SessionId id) {
        return host.store().journal().entries(TestHost.ORG, id, new Seq(0), 1000);
    }

    private static List<ActionRow> actions(TestHost host, SessionId id) {
        return host.store().journal().actions(TestHost.ORG, id, Set.of(), 0, 1000);
    }

    private void isSoundThere(SessionId id) {
        Ran verified = there.in(root).run("verify", id.value());
        assertThat(verified.exit()).as(verified.out() + verified.err()).isZero();
    }

    @Test
    void aSessionGoesOnElsewhereWithItsJournalAndItsFiles() throws IOException {
        String script =
                new Scripts()
                        .sh("echo 1 >> n; mkdir d; ln -s ../n d/link; chmod 700 d; seq 1 100000")
                        .call("write", "path", "two", "text", "2\n")
                        .say("One.")
                        .sh("cat n two; echo 2 >> n")
                        .say("Two.")
                        .text();
        Session origin = worked(script);
        here.awaitIdle(origin.id());
        Path file = exported(origin.id());
        Path copy = root.resolve("copy");

        Ran ran = imported(file, copy);

        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out()).isEqualTo(origin.id() + "\n");
        assertThat(ran.err()).contains("policy workspace").contains(copy.toString());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        List<Entry> before = entries(here, origin.id());
        List<Entry> after = entries(there, origin.id());
        assertThat(after.subList(0, before.size())).isEqualTo(before);
        assertThat(after).hasSize(before.size() + 1);
        assertThat(actions(there, origin.id())).isEqualTo(actions(here, origin.id()));
        isSoundThere(origin.id());
        assertThat(Projects.read(copy.resolve("d/link"))).isEqualTo("1\n");
        assertThat(Projects.read(copy.resolve("two"))).isEqualTo("2\n");

        Ran on = there.in(copy).run("--continue", "exec", "Go on.");

        assertThat(on.exit()).as(on.err()).isZero();
        there.awaitIdle(origin.id());
        assertThat(Projects.read(copy.resolve("n"))).isEqualTo("1\n2\n");
        assertThat(Projects.read(project.resolve("n"))).isEqualTo("1\n");
        isSoundThere(origin.id());
        assertThat(there.in(copy).run("undo", origin.id().value()).exit()).isZero();
        assertThat(Projects.read(copy.resolve("n"))).isEqualTo("1\n");
        Ran forked = there.in(copy).run("fork", origin.id().value(), root.resolve("f").toString());
        assertThat(forked.exit()).as(forked.err()).isZero();
        assertThat(Projects.read(root.resolve("f/n"))).isEqualTo("1\n");
        isSoundThere(
                there.store()
                        .journal()
                        .newestAt(TestHost.ORG, root.resolve("f").toString())
                        .orElseThrow()
                        .id());
    }

    @Test
    void aQuestionTravels() {
        String script =
                new Scripts()
                        .call("ask", "question", "Which colour?")
                        .sh("echo green > colour")
                        .say("Done.")
                        .text();
        Session origin = worked(script);
        Waiting.forState(here.store(), origin.id(), SessionState.WAITING_INPUT);
        Ran early = here.in(root).run("export", origin.id().value());
        assertThat(early.exit()).isEqualTo(1);
        assertThat(early.err()).contains("waits").contains("hanzo dev suspend");
        assertThat(here.in(project).run("suspend", origin.id().value()).exit()).isZero();
        Path copy = root.resolve("asked");

        assertThat(imported(exported(origin.id()), copy).exit()).isZero();

        assertThat(there.in(copy).run("resume", origin.id().value()).exit()).isZero();
        Waiting.forState(there.store(), origin.id(), SessionState.WAITING_INPUT);
        assertThat(there.in(copy).run("answer", origin.id().value(), "green").exit()).isZero();
        there.awaitIdle(origin.id());
        assertThat(Projects.read(copy.resolve("colour"))).isEqualTo("green\n");
        isSoundThere(origin.id());
    }

    @Test
    void whatIsNotAsItWasWrittenIsRefusedInASentenceAndLeavesNothing() throws IOException {
        Session origin = worked(new Scripts().sh("seq 1 30000").say("Done.").text());
        here.awaitIdle(origin.id());
        byte[] whole = Files.readAllBytes(exported(origin.id()));
        Path bad = root.resolve("bad.hanzo");
        Path copy = root.resolve("never");

        for (int length : new int[] {0, 7, 12, 40, whole.length / 2, whole.length - 1}) {
            Files.write(bad, Arrays.copyOf(whole, length));
            refused(bad, copy, length < 8 ? "is not a session file" : "The file is cut short");
        }
        for (int at : new int[] {30, whole.length / 3, whole.length / 2, whole.length - 6}) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 0x10;
            Files.write(bad, flipped);
            refused(bad, copy, "The file is ");
        }
        byte[] newer = whole.clone();
        newer[11] = 3;
        Files.write(bad, newer);
        refused(bad, copy, "format 3 and this hanzo reads up to 2: import it with a newer hanzo");

        assertThat(there.store().journal().session(TestHost.ORG, origin.id())).isEmpty();
        assertThat(copy).doesNotExist();
        Files.write(bad, whole);
        assertThat(imported(bad, copy).exit()).isZero();
        Ran again = imported(bad, root.resolve("again"));
        assertThat(again.exit()).isEqualTo(1);
        assertThat(again.err()).contains("Session " + origin.id() + " is here already.");
        assertThat(root.resolve("again")).doesNotExist();
        try (var left = Files.list(homeThere.resolve("tmp"))) {
            assertThat(left).isEmpty();
        }
    }

    private void refused(Path file, Path copy, String sentence) {
        Ran ran = imported(file, copy);
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains(sentence).hasLineCount(1);
    }

    @Test
    void aStoppedSessionIsReadElsewhereAndIsStillOver() {
        Session origin = worked(new Scripts().sh("echo 1 > n").say("Done.").text());
        here.awaitIdle(origin.id());
        assertThat(here.in(project).run("rm", origin.id().value()).exit()).isZero();
        Path copy = root.resolve("over");

        assertThat(imported(exported(origin.id()), copy).exit()).isZero();

        isSoundThere(origin.id());
        assertThat(there.store().journal().session(TestHost.ORG, origin.id()).orElseThrow().state())
                .isEqualTo(SessionState.STOPPED);
        Ran on = there.in(copy).run("--continue", "exec", "Go on.");
        assertThat(on.exit()).isNotZero();
    }

    @Test
    void anotherOrgsSessionIsNotExported() {
        Ran ran = here.in(root).run("export", "ses_00000000000000000000000000");

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains("There is no session");
        assertThat(root.resolve("ses_00000000000000000000000000.hanzo")).doesNotExist();
    }
}
