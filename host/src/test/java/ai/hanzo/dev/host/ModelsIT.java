package ai.hanzo.dev.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import ai.hanzo.dev.host.model.MockModelServer;
import ai.hanzo.dev.host.model.Script;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models of providers, spoken to over HTTP in their own protocols, through the command line. */
class ModelsIT {
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

    private static MockModelServer provider(Scripts script) throws IOException {
        return MockModelServer.start(
                Script.parse(script.text()),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                MockModelServer.Wire.PLAIN);
    }

    private static final Scripts WORK = new Scripts().sh("echo made > made.txt").say("It is made.");

    @Test
    void openAi() throws IOException {
        Projects.write(project.resolve("AGENTS.md"), "Write your names in green.\n");
        try (MockModelServer server = provider(WORK)) {
            Ran ran =
                    host.in(project)
                            .env("OPENAI_API_KEY", "sk-canary-4711")
                            .env("OPENAI_BASE_URL", server.address() + "/v1")
                            .run("--json", "--model", "openai:gpt-test", "exec", "Make it.");
            assertThat(ran.exit()).as(ran.err() + ran.out()).isZero();
            assertThat(Projects.read(project.resolve("made.txt"))).isEqualTo("made\n");
            assertThat(ran.out()).contains("It is made.").doesNotContain("canary");
            assertThat(server.requests()).hasSize(2);
            assertThat(server.requests().getFirst().body().toString())
                    .contains("gpt-test", "Write your names in green.", "Make it.");
            assertThat(server.requests().getLast().body().at("/messages").toString())
                    .contains("tool_calls", "tool_call_id");
        }
    }

    @Test
    void anthropic() throws IOException {
        try (MockModelServer server = provider(WORK)) {
            Ran ran =
                    host.in(project)
                            .env("ANTHROPIC_API_KEY", "sk-ant-canary-4711")
                            .env("ANTHROPIC_BASE_URL", server.address().toString())
                            .run("--json", "--model", "anthropic:claude-test", "exec", "Make it.");
            assertThat(ran.exit()).as(ran.err() + ran.out()).isZero();
            assertThat(Projects.read(project.resolve("made.txt"))).isEqualTo("made\n");
            List<JsonNode> lines = Lines.of(ran.out());
            assertThat(Lines.kind(lines, "model")).hasSize(2);
            assertThat(server.requests().getLast().body().at("/messages").toString())
                    .contains("tool_use", "tool_result");
        }
    }

    @Test
    void theKeyIsNowhereInTheState() throws IOException {
        String key = "sk-canary-" + System.nanoTime();
        Scripts script = new Scripts().sh("env; cat /proc/*/environ").say("Done.");
        try (MockModelServer server = provider(script)) {
            Ran ran =
                    host.in(project)
                            .env("OPENAI_API_KEY", key)
                            .env("OPENAI_BASE_URL", server.address() + "/v1")
                            .run("--json", "--model", "openai:gpt-test", "exec", "Look.");
            assertThat(ran.exit()).as(ran.err()).isZero();
            assertThat(ran.out()).doesNotContain(key);
        }
        try (var files = java.nio.file.Files.walk(root.resolve("home"))) {
            assertThat(files.filter(java.nio.file.Files::isRegularFile))
                    .allSatisfy(file ->
                            assertThat(new String(java.nio.file.Files.readAllBytes(file), UTF_8))
                                    .as(file.toString())
                                    .doesNotContain(key));
        }
    }

    @Test
    void aMissingKeyIsSaidBeforeAnythingIsMade() {
        Ran ran = host.in(project).run("--model", "openai:gpt-test", "exec", "Make it.");
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains("OPENAI_API_KEY");
        assertThat(host.in(project).run("ls").out()).doesNotContain(project.toString());
    }

    @Test
    void anUnknownModelNamesTheKinds() {
        Ran ran = host.in(project).run("--model", "acme:gpt", "exec", "Make it.");
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains("acme", "openai:NAME", "script:FILE");
    }
}
