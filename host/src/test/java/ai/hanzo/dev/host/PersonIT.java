package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person at a terminal sees, is asked, and may say; over a real host. */
class PersonIT {
    private static final Pattern SESSION = Pattern.compile("ses_[0-9a-z]{26}");
    private static final Pattern APPROVAL = Pattern.compile("apr_[0-9a-z]{26}");
    private static final String ASKS_FOR_TOUCH =
            """
            version: 1
            name: careful
            rules:
              - {name: talk, op: [model, ask], verdict: allow}
              - {name: touch, op: exec, argv: ["touch **"], verdict: require_client_approval, reason: It makes a file.}
              - {name: exec, op: [exec, read], verdict: allow}
            """;

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

    private String careful() {
        Path file = root.resolve("careful.yaml");
        Projects.write(file, ASKS_FOR_TOUCH);
        return file.toString();
    }

    private static String find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group();
    }

    private String model(Scripts script) {
        return host.in(project).model(script.text());
    }

    private String session() {
        return find(SESSION, host.in(project).run("ls").out());
    }

    private static final Scripts TOUCH = new Scripts().exec("touch", "made").say("Well.");

    @Test
    void aPersonSaysYes() {
        Ran ran =
                host.in(project)
                        .typing("y\n")
                        .run("--policy", careful(), "--model", model(TOUCH), "Make it.");
        assertThat(ran.exit()).as(ran.err() + ran.out()).isZero();
        assertThat(ran.out()).contains("touch made", "It makes a file.", "Allow it?", "Well.");
        assertThat(project.resolve("made")).exists();
    }

    @Test
    void aPersonSaysNoAndTheModelIsTold() {
        Ran ran =
                host.in(project)
                        .typing("use another name\n")
                        .run("--policy", careful(), "--model", model(TOUCH), "Make it.");
        assertThat(ran.exit()).as(ran.err() + ran.out()).isEqualTo(3);
        assertThat(project.resolve("made")).doesNotExist();
        String log = host.in(project).run("log", "--json", session()).out();
        JsonNode exec = Lines.actions(Lines.of(log), "exec").getFirst();
        JsonNode result = Lines.result(Lines.of(log), exec);
        assertThat(result.path("status").asText()).isEqualTo("denied");
        assertThat(result.path("message").asText()).contains("use another name");
    }

    @Test
    void nobodyIsThereAndItIsApprovedLater() {
        Ran ran =
                host.in(project)
                        .run("--policy", careful(), "--model", model(TOUCH), "exec", "Make it.");
        assertThat(ran.exit()).isEqualTo(3);
        assertThat(project.resolve("made")).doesNotExist();
        String approval = find(APPROVAL, ran.err());
        String session = find(SESSION, ran.err());
        assertThat(host.in(project).run("approvals").out()).contains(approval, "touch made");
        assertThat(host.in(project).run("show", session).out())
                .contains("waiting_approval", approval);

        Ran approved = host.in(project).run("approve", approval);
        assertThat(approved.exit()).as(approved.err()).isZero();
        Ran attached = host.in(project).run("attach", session);
        assertThat(attached.exit()).as(attached.err() + attached.out()).isZero();
        assertThat(project.resolve("made")).exists();
        Ran again = host.in(project).run("deny", approval);
        assertThat(again.exit()).isNotZero();
        assertThat(again.err()).contains("already");
    }

    @Test
    void theEntryThatAsksNamesItsApproval() {
        Ran ran = host.in(project).exec(TOUCH.text(), "Make it.", "--policy", careful());
        assertThat(ran.exit()).isEqualTo(3);
        JsonNode exec = Lines.actions(Lines.of(ran.out()), "exec").getFirst();
        assertThat(exec.at("/decision/approval").asText()).isEqualTo(find(APPROVAL, ran.err()));
        host.in(project).run("deny", find(APPROVAL, ran.err()));
    }

    @Test
    void aQuestionIsAnsweredAtTheTerminal() {
        Scripts script =
                new Scripts().call("ask", "question", "Which colour?").say("So it shall be.");
        Ran ran = host.in(project).typing("green\n").run("--model", model(script), "Paint it.");
        assertThat(ran.exit()).as(ran.err() + ran.out()).isZero();
        assertThat(ran.out()).contains("Which colour?", "So it shall be.");
        String log = host.in(project).run("log", "--json", session()).out();
        assertThat(Lines.kind(Lines.of(log), "answer").getFirst().at("/answer/text").asText())
                .isEqualTo("green");
    }

    @Test
    void aQuestionIsAnsweredLater() {
        Scripts script =
                new Scripts().call("ask", "question", "Which colour?").say("So it shall be.");
        Ran ran = host.in(project).run("--model", model(script), "exec", "Paint it.");
        assertThat(ran.exit()).isEqualTo(3);
        assertThat(ran.err()).contains("Which colour?", "hanzo dev answer");
        Ran answered = host.in(project).run("answer", session(), "green");
        assertThat(answered.exit()).as(answered.err()).isZero();
        Ran attached = host.in(project).run("attach", session());
        assertThat(attached.exit()).as(attached.err()).isZero();
    }

    @Test
    void aConversationGoesOnInOneSession() {
        Scripts script = new Scripts().say("First.").say("Second.").say("Third.");
        Ran ran = host.in(project).typing("one\ntwo\n").run("--model", model(script));
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("First.", "Second.");
        Ran third = host.in(project).run("--continue", "exec", "three");
        assertThat(third.exit()).as(third.err()).isZero();
        assertThat(third.out()).contains("Third.");
        assertThat(
                        host.in(project)
                                .run("ls")
                                .out()
                                .lines()
                                .filter(l -> l.contains(project.toString())))
                .hasSize(1);
    }

    @Test
    void aSessionThatWasEndedIsNotContinued() {
        Scripts script = new Scripts().say("First.").say("Second.");
        host.in(project).run("--model", model(script), "exec", "one");
        host.in(project).run("--model", model(script), "exec", "one");
        assertThat(host.in(project).run("rm", session()).exit()).isZero();
        Ran next = host.in(project).run("--continue", "exec", "two");
        assertThat(next.exit()).as(next.err()).isZero();
        assertThat(next.out()).contains("Second.");
    }

    @Test
    void aSessionThatOnlyReadsRunsCommandsThatCannotWrite() {
        Scripts script = new Scripts().sh("cat hello.txt; touch made").say("Done.");
        Ran ran = host.in(project).exec(script.text(), "Look.", "--policy", "read-only");
        assertThat(ran.exit()).as(ran.err() + ran.out()).isZero();
        JsonNode exec = Lines.actions(Lines.of(ran.out()), "exec").getFirst();
        JsonNode result = Lines.result(Lines.of(ran.out()), exec);
        assertThat(result.path("stdout").asText()).isEqualTo("hello\n");
        assertThat(result.path("stderr").asText()).contains("Read-only file system");
        assertThat(project.resolve("made")).doesNotExist();
    }

    @Test
    void theEndNamesFilesTokensAndUndo() {
        Scripts script =
                new Scripts().sh("echo more >> hello.txt; echo new > new.txt").say("Done.");
        Ran ran = host.in(project).run("--model", model(script), "exec", "Change it.");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out())
                .contains("hello.txt", "new.txt", "tokens", "hanzo dev undo " + session());

        Ran diff = host.in(project).run("diff", session());
        assertThat(diff.out()).contains("+more", "+new");
        Projects.write(project.resolve("mine.txt"), "mine\n");
        Ran undone = host.in(project).run("undo", session());
        assertThat(undone.exit()).as(undone.err()).isZero();
        assertThat(Projects.read(project.resolve("hello.txt"))).isEqualTo("hello\n");
        assertThat(project.resolve("new.txt")).doesNotExist();
        assertThat(project.resolve("mine.txt")).exists();
    }

    @Test
    void undoTouchesNothingWhenAPersonHasChangedTheSameFile() {
        Scripts script =
                new Scripts().sh("echo more >> hello.txt; echo new > new.txt").say("Done.");
        host.in(project).run("--model", model(script), "exec", "Change it.");
        Projects.write(project.resolve("hello.txt"), "mine\n");
        Ran undone = host.in(project).run("undo", session());
        assertThat(undone.exit()).isNotZero();
        assertThat(undone.err() + undone.out()).contains("hello.txt");
        assertThat(Projects.read(project.resolve("hello.txt"))).isEqualTo("mine\n");
        assertThat(project.resolve("new.txt")).exists();
    }

    @Test
    void undoOfTwoTurnsLeavesWhatAPersonMadeBetweenThem() {
        Scripts script =
                new Scripts()
                        .sh("echo a > a; echo b > b")
                        .say("One.")
                        .sh("echo c > c; echo more >> b")
                        .say("Two.");
        host.in(project).run("--model", model(script), "exec", "First.");
        Projects.write(project.resolve("mine"), "mine\n");
        host.in(project).run("--continue", "exec", "Second.");
        assertThat(host.in(project).run("undo", session()).exit()).isZero();
        assertThat(Projects.read(project.resolve("b"))).isEqualTo("b\n");
        Ran undone = host.in(project).run("undo", session());
        assertThat(undone.exit()).as(undone.err() + undone.out()).isZero();
        assertThat(project.resolve("a")).doesNotExist();
        assertThat(project.resolve("b")).doesNotExist();
        assertThat(project.resolve("c")).doesNotExist();
        assertThat(Projects.read(project.resolve("mine"))).isEqualTo("mine\n");
    }

    @Test
    void undoRefusesWhatBothHaveChanged() {
        Scripts script = new Scripts().sh("echo a > a").say("One.").sh("echo c >> a").say("Two.");
        host.in(project).run("--model", model(script), "exec", "First.");
        Projects.write(project.resolve("a"), "a\nmine\n");
        host.in(project).run("--continue", "exec", "Second.");
        host.in(project).run("undo", session());
        assertThat(Projects.read(project.resolve("a"))).isEqualTo("a\nmine\n");
        Ran undone = host.in(project).run("undo", session());
        assertThat(undone.exit()).isNotZero();
        assertThat(undone.out() + undone.err()).contains("a: was changed by someone else");
        assertThat(Projects.read(project.resolve("a"))).isEqualTo("a\nmine\n");
    }

    @Test
    void gitKnowsTheAuthorAndThePersonsOwnConfigurationIsNotTouched() {
        Path person = Projects.make(root);
        Projects.write(
                person.resolve(".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
        Scripts script =
                new Scripts()
                        .sh("git init -q . && git add -A && git commit -qm first")
                        .call(
                                "git",
                                Lines.object(
                                        "{\"argv\": [\"log\", \"-1\", \"--format=%an <%ae> %cn\"]}"))
                        .say("Done.");
        Ran ran = host.in(project).env("HOME", person.toString()).exec(script.text(), "Commit.");
        assertThat(ran.exit()).as(ran.err()).isZero();
        List<JsonNode> lines = Lines.of(ran.out());
        JsonNode git = Lines.actions(lines, "git").getFirst();
        assertThat(Lines.result(lines, git).path("stdout").asText())
                .isEqualTo("Ada <ada@example.org> Ada\n");
    }

    @Test
    void aSessionThatGoesOnKeepsItsPolicyAndItsModel() {
        Path project = Projects.make(root);
        String script = host.in(project).model(new Scripts().say("One.").say("Two.").text());
        assertThat(host.in(project).run("exec", "--model", script, "one").exit()).isZero();

        Ran stricter = host.in(project).run("--continue", "exec", "--policy", "read-only", "two");
        Ran other = host.in(project).run("--continue", "exec", "--model", "openai:gpt-x", "two");
        Ran same =
                host.in(project)
                        .run(
                                "--continue",
                                "exec",
                                "--policy",
                                "workspace",
                                "--model",
                                script,
                                "two");

        assertThat(stricter.exit()).isEqualTo(2);
        assertThat(stricter.err()).contains("--policy workspace", "keeps it", "--continue");
        assertThat(other.exit()).isEqualTo(2);
        assertThat(other.err()).contains("--model", "keeps it");
        assertThat(same.exit()).as(same.err()).isZero();
        assertThat(same.out()).contains("Two.");
    }

    @Test
    void whatIsNotThereIsAnsweredWithWhereToLook() {
        Path project = Projects.make(root);

        assertThat(host.in(project).run("show", "ses_00000000000000000000000000").err())
                .contains("hanzo dev ls");
        assertThat(host.in(project).run("approve", "apr_00000000000000000000000000").err())
                .contains("hanzo dev approvals");
    }
}
