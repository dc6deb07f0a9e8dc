package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the sandbox denies and can see is in the journal, once for each action and kind. */
@Timeout(180)
class DenialsIT {
    private static final String POLICY =
            """
            version: 1
            extends: workspace
            network: [files.example]
            """;

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

    private static List<String> denials(Ran ran) {
        return Lines.kind(Lines.of(ran.out()), "note").stream()
                .map(note -> note.path("note"))
                .filter(note -> note.path("topic").asText().startsWith("sandbox."))
                .map(note -> note.path("topic").asText() + ": " + what(note))
                .toList();
    }

    private static String what(JsonNode note) {
        String text = note.path("text").asText();
        return text.substring(text.indexOf(": ") + 2);
    }

    @Test
    void refusedSystemCallsAreToldByName() {
        String script =
                new Scripts()
                        .sh(
                                "unshare -U true; unshare -m true; keyctl show; mount -t tmpfs t . ; true")
                        .sh("true")
                        .say("Done.")
                        .text();
        Ran ran = host.in(Projects.make(root)).exec(script, "Try.");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(denials(ran))
                .singleElement()
                .asString()
                .startsWith("sandbox.syscall.denied: unshare (2 times)")
                .contains("mount");
    }

    @Test
    void changedHooksAreToldByPath() {
        String script =
                new Scripts()
                        .sh("git init -q . && echo bad > .git/hooks/pre-commit")
                        .say("Done.")
                        .text();
        Ran ran = host.in(Projects.make(root)).exec(script, "Try.");
        assertThat(denials(ran)).containsExactly("sandbox.protected.denied: .git/hooks/pre-commit");
    }

    /** The policy opens the network to one name; another one is denied before it is looked up. */
    @Test
    void connectionsThatThePolicyDoesNotNameAreTold() throws IOException {
        Path policy = Files.writeString(root.resolve("policy.yaml"), POLICY);
        String script =
                new Scripts().sh("curl -sS http://other.example/").sh("true").say("Done.").text();
        Ran ran = host.in(Projects.make(root)).exec(script, "Try.", "--policy", policy.toString());
        assertThat(denials(ran))
                .containsExactly(
                        "sandbox.network.denied: other.example:80 is denied: add it to 'network' of"
                                + " the session's policy to allow it");
    }

    @Test
    void aPathThatLeadsOutIsTold() {
        Path project = Projects.make(root);
        String script =
                new Scripts()
                        .sh("ln -s /etc out")
                        .call("read", "path", "out/passwd")
                        .say("Done.")
                        .text();
        Ran ran = host.in(project).exec(script, "Try.");
        assertThat(denials(ran))
                .singleElement()
                .asString()
                .startsWith("sandbox.path.denied:")
                .contains("out/passwd");
    }
}
