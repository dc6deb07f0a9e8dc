package ai.hanzo.dev.host.tool.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GitEnvironmentTest {

    @Test
    void configurationIsCountedAndComplete() {
        Map<String, String> env =
                GitEnvironment.of(new GitEnvironment.Author("A", "a@b"), Path.of("/up/ws"));
        int count = Integer.parseInt(env.get("GIT_CONFIG_COUNT"));
        Map<String, String> configuration = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            configuration.put(env.get("GIT_CONFIG_KEY_" + i), env.get("GIT_CONFIG_VALUE_" + i));
        }
        assertThat(configuration)
                .hasSize(count)
                .containsEntry("user.name", "A")
                .containsEntry("user.email", "a@b")
                .containsEntry("core.hooksPath", "/dev/null")
                .containsEntry("core.fsmonitor", "false")
                .containsEntry("protocol.ext.allow", "never");
        assertThat(env)
                .containsEntry("GIT_CEILING_DIRECTORIES", "/up")
                .containsEntry("GIT_CONFIG_GLOBAL", "/dev/null")
                .containsEntry("GIT_TERMINAL_PROMPT", "0")
                .doesNotContainKey("GIT_CONFIG_KEY_" + count);
    }
}
