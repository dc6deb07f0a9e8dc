package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users of agents have suffered elsewhere: hanging, output, tools that do not work. */
class FieldCasesIT {
    @TempDir static Path root;
    private static TestHost host;
    private Path project;

    @BeforeAll
    static void start() {
        host = new TestHost(root.resolve("home"));
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    @BeforeEach
    void project() {
        project = Projects.make(root);
    }

    /** The result of one command line, run as the only effect of a turn. */
    private JsonNode result(String line) {
        return result(arguments(line));
    }

    private JsonNode result(ObjectNode arguments) {
        Ran ran =
                host.in(project)
                        .exec(new Scripts().call("exec", arguments).say("Done.").text(), "Run it.");
        assertThat(ran.exit()).as(ran.err() + ran.out()).isZero();
        List<JsonNode> lines = Lines.of(ran.out());
        return Lines.result(lines, Lines.actions(lines, "exec").getFirst());
    }

    private static ObjectNode arguments(String line) {
        ObjectNode arguments = Lines.object("{\"argv\": [\"bash\", \"-c\"]}");
        arguments.withArray("argv").add(line);
        return arguments;
    }

    @Test
    void aGrandchildThatHoldsThePipeDoesNotHoldTheResult() {
        JsonNode result = result("exec > >(tee f) 2>&1; sleep 600 & echo hi");
        assertThat(result.path("exit").asInt(-1)).isZero();
        assertThat(result.path("message").asText()).contains("left");
        assertThat(Processes.running("sleep 600", project)).isEmpty();
    }

    @Test
    void aTimeoutKillsAllThatTheCommandHadStarted() {
        ObjectNode arguments =
                arguments("mkfifo p; (while :; do echo c; sleep 0.1; done) >p & cat p");
        arguments.put("timeoutMs", 1000);
        JsonNode result = result(arguments);
        assertThat(result.path("status").asText()).isEqualTo("failed");
        assertThat(result.path("message").asText()).contains("timed out");
        assertThat(result.path("stdout").asText()).startsWith("c\nc\n");
        assertThat(Processes.running("cat p", project)).isEmpty();
    }

    @Test
    void aProgramThatReadsFindsTheEndOfInput() {
        assertThat(result("cat").path("exit").asInt(-1)).isZero();
    }

    @Test
    void nothingAsksOnATerminalThatIsNotThere() {
        JsonNode result = result("read x < /dev/tty; echo \"read: $?\"");
        assertThat(result.path("stdout").asText()).isEqualTo("read: 1\n");
    }

    @Test
    void aCommandThatAsksForATerminalHasOne() {
        ObjectNode arguments = arguments("test -t 0 && test -t 1 && stty size; exit 3");
        arguments.put("pty", true);
        JsonNode result = result(arguments);
        assertThat(result.path("stdout").asText()).isEqualTo("24 80\r\n");
        assertThat(result.path("exit").asInt(-1)).isEqualTo(3);
    }

    @Test
    void aHereDocumentArrivesByteForByte() {
        String text = "'\"$HOME `date` \\ äöü 你\n".repeat(2500);
        JsonNode result = result("cat > f <<'END'\n" + text + "END\n");
        assertThat(result.path("exit").asInt(-1)).isZero();
        assertThat(Projects.read(project.resolve("f"))).isEqualTo(text);
    }

    @Test
    void anEndOfLongOutputIsSeenWithTheNumberOfBytesLeftOut() {
        JsonNode result = result("seq 1 200000; echo FAILED test_x; exit 1");
        assertThat(result.path("stdout").asText()).startsWith("1\n2\n").endsWith("FAILED test_x\n");
        assertThat(result.path("truncated").asBoolean()).isTrue();
        assertThat(result.path("stdoutSize").asLong()).isEqualTo(1288909);
        assertThat(result.path("artifacts")).hasSize(1);
    }

    @Test
    void charactersThatAreWrittenInPiecesStayWhole() {
        JsonNode result =
                result(
                        "/usr/bin/python3 -c \"import os; b='你'.encode()*2000\n"
                                + "for i in range(0, len(b), 4): os.write(1, b[i:i+4])\"");
        assertThat(result.path("stdout").asText()).isEqualTo("你".repeat(2000));
    }

    @Test
    void hugeOutputDoesNotFillTheHost() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long before = runtime.totalMemory() - runtime.freeMemory();
        JsonNode result = result("yes | head -c 1G");
        System.gc();
        long grown = runtime.totalMemory() - runtime.freeMemory() - before;
        assertThat(result.path("stdoutSize").asLong()).isEqualTo(1L << 30);
        assertThat(grown).isLessThan(64L << 20);
    }

    @Test
    void ordinaryToolsFindATemporaryDirectoryThatIsTheirOwn() {
        JsonNode result =
                result(
                        "set -e; f=$(mktemp); echo x > \"$f\"; seq 1 1000 | sort -S 1M -T \"$TMPDIR\" |"
                                + " tail -1; /usr/bin/python3 -c 'import tempfile; print(tempfile.mkdtemp())'");
        assertThat(result.path("exit").asInt(-1)).as(result.toString()).isZero();
    }

    @Test
    void gitWorksWhileItsHooksAndConfigurationStayProtected() {
        assertThat(
                        result("git init -q -b main . && git add -A && git commit -qm one")
                                .path("exit")
                                .asInt(-1))
                .isZero();
        JsonNode work =
                result(
                        "set -e; echo 2 >> hello.txt; git commit -qam two; git checkout -qb side HEAD~1;"
                                + " echo 3 > other; git add -A; git commit -qm three;"
                                + " git rebase -q main; git gc -q; git log --oneline | wc -l");
        assertThat(work.path("stdout").asText().strip()).as(work.toString()).isEqualTo("3");
        String before = Projects.read(project.resolve(".git/config"));
        JsonNode attack =
                result(
                        "echo bad > .git/hooks/pre-commit; git config core.pager x;"
                                + " mv .git/config .git/c; echo bad > h; mv h .git/hooks/pre-push;"
                                + " ln -s ../../h .git/hooks/update; true");
        assertThat(attack.path("exit").asInt(-1)).as(attack.toString()).isZero();
        assertThat(project.resolve(".git/hooks"))
                .satisfies(hooks -> assertThat(hooks.resolve("pre-commit")).doesNotExist());
        assertThat(Files.exists(project.resolve(".git/hooks/pre-push"))).isFalse();
        assertThat(Files.isSymbolicLink(project.resolve(".git/hooks/update"))).isFalse();
        assertThat(Projects.read(project.resolve(".git/config"))).isEqualTo(before);
    }

    @Test
    void aRepositoryThatACommandMakesIsProtectedToo() {
        String script =
                new Scripts()
                        .sh(
                                "git init -q . && echo bad > .git/hooks/pre-commit"
                                        + " && git config user.name Me && git config core.fsmonitor ./x"
                                        + " && git config remote.origin.url 'ext::sh -c bad'"
                                        + " && printf '[core] pager = bad\\n' >> .git/config")
                        .sh(
                                "git add -A; git commit -qm one; echo bad > .git/hooks/pre-push;"
                                        + " git config core.pager x; git log --oneline | wc -l")
                        .say("Done.")
                        .text();
        Ran ran = host.in(project).exec(script, "Make a repository.");
        assertThat(ran.exit()).as(ran.err() + ran.out()).isZero();
        List<JsonNode> lines = Lines.of(ran.out());
        List<JsonNode> execs = Lines.actions(lines, "exec");
        assertThat(Lines.result(lines, execs.getFirst()).path("message").asText())
                .contains(".git/hooks/pre-commit", ".git/config");
        JsonNode second = Lines.result(lines, execs.getLast());
        assertThat(second.path("stdout").asText().strip()).as(second.toString()).isEqualTo("1");
        assertThat(second.path("message").asText()).contains(".git/hooks/pre-push", ".git/config");
        assertThat(project.resolve(".git/hooks/pre-commit")).doesNotExist();
        assertThat(project.resolve(".git/hooks/pre-push")).doesNotExist();
        assertThat(Projects.read(project.resolve(".git/config")))
                .contains("name = Me", "bare = false")
                .doesNotContain("fsmonitor", "ext::", "pager");
    }

    @Test
    void aRepositoryIsNotLedToConfigurationElsewhere() {
        assertThat(
                        result("git init -q -b main . && git add -A && git commit -qm one")
                                .path("exit")
                                .asInt(-1))
                .isZero();
        String script =
                new Scripts()
                        .sh(
                                "cp -r .git ev; printf '[core]\\n fsmonitor = x\\n' >> ev/config;"
                                        + " echo ../ev > .git/commondir;"
                                        + " printf '[core]\\n fsmonitor = x\\n' > .git/config.worktree")
                        .call("write", "path", ".git/commondir", "text", "../ev\n")
                        .call("write", "path", ".git/modules/a/hooks/update", "text", "bad\n")
                        .say("Done.")
                        .text();
        Ran ran = host.in(project).exec(script, "Lead it away.");
        assertThat(ran.exit()).as("the writes are denied: %s", ran.err()).isEqualTo(3);
        List<JsonNode> lines = Lines.of(ran.out());
        JsonNode exec = Lines.result(lines, Lines.actions(lines, "exec").getFirst());
        assertThat(exec.path("message").asText())
                .contains(".git/commondir", ".git/config.worktree");
        assertThat(Lines.actions(lines, "write"))
                .allSatisfy(write ->
                        assertThat(write.at("/decision/verdict").asText()).isEqualTo("block"));
        assertThat(project.resolve(".git/commondir")).doesNotExist();
        assertThat(project.resolve(".git/config.worktree")).doesNotExist();
        assertThat(project.resolve(".git/modules")).doesNotExist();
    }

    @Test
    void aFileThatNamesARepositoryElsewhereIsNotLeftBehind() {
        JsonNode result = result("git init -q evil; echo 'gitdir: evil/.git' > .git");
        assertThat(result.path("message").asText()).contains(".git");
        assertThat(project.resolve(".git")).doesNotExist();
    }

    @Test
    void noFileBecomesOneThatRunsAsItsOwner() {
        JsonNode result =
                result(
                        "cp /bin/true a; chmod 4755 a; chmod 2755 a; install -m 6755 a b;"
                                + " /usr/bin/python3 -c \"import os; os.open('c', os.O_CREAT|os.O_WRONLY, 0o4755)\";"
                                + " chmod 755 a && ls -l a b c 2>/dev/null | grep -c '^-..s\\|^-.....s'; true");
        assertThat(result.path("stdout").asText()).as(result.toString()).isEqualTo("0\n");
        assertThat(result.path("stderr").asText()).contains("Operation not permitted");
    }

    @Test
    void aCancelledCallHasItsResultInTheNextRequest() {
        // The script model refuses a conversation in which a call has no result.
        String script =
                new Scripts().sh("touch began; sleep 600").say("I go on.").say("And on.").text();
        Hanzo hanzo = host.in(project);
        try (ForkedHanzo command =
                ForkedHanzo.start(
                        root.resolve("home"),
                        project,
                        "--model",
                        hanzo.model(script),
                        "exec",
                        "Go.")) {
            Waiting.until(() -> project.resolve("began").toFile().exists());
            command.interrupt();
            assertThat(command.exit()).isEqualTo(130);
        }
        Ran next = host.in(project).run("--continue", "exec", "Go on.");
        assertThat(next.exit()).as(next.err()).isZero();
        assertThat(next.out()).contains("I go on.");
    }
}
