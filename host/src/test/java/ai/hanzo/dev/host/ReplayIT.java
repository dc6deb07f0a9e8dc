package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.core.CoreLimits;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.core.WasmCores;
import ai.hanzo.dev.ledger.Session;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same journal gives the same actions, byte for byte. */
class ReplayIT {
    @TempDir Path root;

    /** A turn with all that there is, also written to target/journal for keeping. */
    @Test
    void aJournalJustRecordedReplaysToItsActionsAndItsSnapshot() throws IOException {
        Path project = Projects.make(root);
        Scripts script =
                new Scripts()
                        .sh("echo one; exit 3")
                        .call(
                                "plan",
                                Lines.object(
                                        "{\"items\": [{\"text\": \"look\", \"status\": \"done\"}]}"))
                        .call("read", "path", "hello.txt")
                        .call("read", "path", "missing.txt")
                        .call("write", "path", "new.txt", "text", "new\n")
                        .call("no_such_tool", "x", "y")
                        .call("exec", "argv", "not a list")
                        .call("ask", "question", "Which colour?")
                        .say("First turn.")
                        .exec("touch", "made")
                        .say("Second turn.");
        Projects.write(project.resolve("script.json"), script.text());
        try (TestHost host = new TestHost(root.resolve("home"))) {
            var first =
                    host.in(project).typing("green\n").run("--model", "script:script.json", "Go.");
            assertThat(first.exit()).as(first.err() + first.out()).isZero();
            var second = host.in(project).run("--continue", "exec", "Go on.");
            assertThat(second.exit()).as(second.err()).isZero();
            Session session =
                    host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
            host.awaitIdle(session.id());
            Recorded recorded = Recorded.of(host.store().journal(), TestHost.ORG, session.id());
            Path kept = Path.of("target/journal");
            Files.createDirectories(kept);
            Files.writeString(kept.resolve("turns.journal"), recorded.text());
            try (Cores cores = new WasmCores(CoreLimits.DEFAULTS)) {
                Recorded.Replayed replayed = recorded.replay(cores);
                assertThat(replayed.actions()).hasSizeGreaterThan(20);
                assertThat(replayed.actions()).isEqualTo(recorded.actions());
                assertThat(replayed.snapshot())
                        .isEqualTo(
                                host.store()
                                        .journal()
                                        .snapshot(TestHost.ORG, session.id())
                                        .orElseThrow()
                                        .state());
            }
        }
    }

    /** Recorded journals of the past; a core that acts otherwise on them is another core. */
    @ParameterizedTest
    @ValueSource(strings = {"turns-1.journal"})
    void aGoldenJournalReplaysToItsActions(String name) throws IOException {
        try (InputStream in = ReplayIT.class.getResourceAsStream("golden/" + name);
                Cores cores = new WasmCores(CoreLimits.DEFAULTS)) {
            assertThat(in).as(name).isNotNull();
            Recorded recorded =
                    Recorded.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            assertThat(recorded.replay(cores).actions()).isEqualTo(recorded.actions());
        }
    }
}
