package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each attack of {@code native/landlock/test/probes.table} that the daemon can see denied, as an
 * action of a session: it fails, and a {@code sandbox.*.denied} note of that very action stands in
 * the journal. That all of them are denied, in every setting, is CellAttacksIT's.
 */
@Timeout(300)
class AttackNotesIT {
    private static final Path NATIVE = Path.of("..", "native", "landlock", "test");

    private static final Pattern NOTE =
            Pattern.compile("the sandbox denied action (\\d+): (.*)", Pattern.DOTALL);

    @TempDir static Path root;
    private static TestHost host;

    @BeforeAll
    static void start() {
        host = new TestHost(root.resolve("home"));
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    /**
     * An attack.
     *
     * @param told what the note must hold
     */
    private record Attack(String line, String told) {}

    private static List<Attack> attacks() throws IOException {
        List<Attack> all = new ArrayList<>();
        for (String row : Files.readAllLines(NATIVE.resolve("probes.table"))) {
            String[] cells = row.split("\t", 4);
            if (row.startsWith("#") || !cells[1].startsWith("no")) {
                continue;
            }
            if (!cells[2].equals("-")) {
                all.add(new Attack(cells[3], cells[2].replace("*", "")));
            }
        }
        return all;
    }

    private static void bringProbe(Path project) throws Exception {
        List<String> command =
                List.of(
                        "gcc",
                        "-std=c11",
                        "-D_GNU_SOURCE",
                        "-static",
                        "-o",
                        project.resolve("probe").toString(),
                        NATIVE.resolve("probe.c").toString());
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    /** What notes of that topic say of an action. */
    private static List<String> told(List<JsonNode> all, String topic, JsonNode action) {
        return Lines.kind(all, "note").stream()
                .map(entry -> entry.path("note"))
                .filter(note -> note.path("topic").asText().equals(topic))
                .map(note -> NOTE.matcher(note.path("text").asText()))
                .filter(note ->
                        note.matches() && note.group(1).equals(action.path("action").asText()))
                .map(note -> note.group(2))
                .toList();
    }

    @Test
    void everyAttackThatTheDaemonSeesIsInTheJournal() throws Exception {
        List<Attack> attacks = attacks();
        assertThat(attacks).hasSizeGreaterThan(30);
        Path project = Projects.make(root);
        bringProbe(project);
        Scripts script = new Scripts();
        String host = Long.toString(ProcessHandle.current().pid());
        attacks.forEach(attack -> script.sh("HOST=" + host + "; " + attack.line()));
        Ran ran = AttackNotesIT.host.in(project).exec(script.say("Done.").text(), "Try.");
        List<JsonNode> all = Lines.of(ran.out());
        List<JsonNode> actions = Lines.actions(all, "exec");
        assertThat(actions).as(ran.err()).hasSameSizeAs(attacks);
        for (int i = 0; i < attacks.size(); i++) {
            Attack attack = attacks.get(i);
            JsonNode result = Lines.result(all, actions.get(i));
            assertThat(result.path("status").asText())
                    .as("%s: %s", attack.line(), result)
                    .isEqualTo("failed");
            assertThat(told(all, "sandbox.syscall.denied", actions.get(i)))
                    .as(attack.line())
                    .singleElement()
                    .asString()
                    .contains(attack.told());
        }
    }

    @Test
    void everyRequestThatLeadsOutIsInTheJournal() {
        Path project = Projects.make(root);
        Ran ran =
                host.in(project)
                        .exec(
                                new Scripts()
                                        .sh("ln -s /etc out")
                                        .call("read", "path", "out/passwd")
                                        .call("write", "path", "out/new", "text", "x")
                                        .call("list", "path", "out")
                                        .say("Done.")
                                        .text(),
                                "Try.");
        List<JsonNode> all = Lines.of(ran.out());
        for (String op : List.of("read", "write", "list")) {
            List<JsonNode> actions = Lines.actions(all, op);
            assertThat(actions).as(op).isNotEmpty();
            JsonNode action = actions.getLast();
            assertThat(Lines.result(all, action).path("status").asText()).isEqualTo("denied");
            assertThat(told(all, "sandbox.path.denied", action))
                    .as(op)
                    .singleElement()
                    .asString()
                    .contains("out");
        }
    }
}
