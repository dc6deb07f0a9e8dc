package ai.hanzo.dev.host.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/**
 * A log file that is rolled over is renamed. Once that file was /dev/null, and a command of root
 * put an ordinary file in its place.
 */
class LogConfigurationTest {
    private static String read(String name) throws IOException {
        try (InputStream in = LogConfigurationTest.class.getResourceAsStream(name)) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aCommandHasNoLogFileAndAHostHasNoneButItsOwn() throws IOException {
        assertThat(read("/logback.xml")).doesNotContain("<file>", "Rolling");
        assertThat(read("/logback-host.xml"))
                .contains("<file>${hanzo.log}</file>", "<fileNamePattern>${hanzo.log}.%d")
                .doesNotContain("/dev", "/tmp");
    }
}
