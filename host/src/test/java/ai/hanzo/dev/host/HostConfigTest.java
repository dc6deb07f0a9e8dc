package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a host takes from its environment. */
final class HostConfigTest {
    private static HostConfig with(String name, String value) {
        return HostConfig.of(Path.of("/home"), Map.of(name, value));
    }

    @Test
    void theTimeOfALeaseIsTheUsualOneUnlessSet() {
        assertThat(HostConfig.of(Path.of("/home"), Map.of()).leaseTtl()).isEmpty();
        assertThat(with("HANZO_LEASE_SECONDS", " ").leaseTtl()).isEmpty();
        assertThat(with("HANZO_LEASE_SECONDS", "30").leaseTtl()).contains(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "ten", "10000"})
    void aTimeThatIsNoneIsRefused(String value) {
        HostConfig config = with("HANZO_LEASE_SECONDS", value);
        assertThatThrownBy(config::leaseTtl)
                .isInstanceOf(HostException.class)
                .hasMessageContaining("HANZO_LEASE_SECONDS")
                .hasMessageContaining("1 to 9999");
    }
}
