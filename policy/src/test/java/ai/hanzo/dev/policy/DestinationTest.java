package ai.hanzo.dev.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationTest {

    @Test
    void aNameIsItselfOnTheUsualPorts() {
        Destination one = Destination.of("Example.com");
        assertThat(one.allows("example.COM", 443)).isTrue();
        assertThat(one.allows("example.com.", 80)).isTrue();
        assertThat(one.allows("example.com", 8443)).isFalse();
        assertThat(one.allows("www.example.com", 443)).isFalse();
        assertThat(one.allows("badexample.com", 443)).isFalse();
    }

    @Test
    void aStarIsEveryNameBelow() {
        Destination below = Destination.of("*.example.com:8443");
        assertThat(below.allows("a.b.example.com", 8443)).isTrue();
        assertThat(below.allows("example.com", 8443)).isFalse();
        assertThat(below.allows(".example.com", 8443)).isFalse();
        assertThat(below.allows("badexample.com", 8443)).isFalse();
        assertThat(below.allows("a.example.com", 443)).isFalse();
        assertThat(Destination.of("*").allows("any.where", 443)).isTrue();
        assertThat(Destination.of("*").allows("any.where", 22)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "10.0.0.1",
                "https://example.com",
                "example.com/path",
                "a.*.example.com",
                "*example.com",
                "example.com:0",
                "example.com:70000",
                "example.com:",
                "[::1]"
            })
    void whatIsNoNameIsRefused(String text) {
        assertThatThrownBy(() -> Destination.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no destination");
    }

    @Test
    void rulesNameThemAndTheirPresetsDoToo() {
        Rules rules =
                Rules.parse("t", "version: 1\nextends: full\nnetwork: [files.example:8443]\n");
        assertThat(rules.network())
                .isEqualTo(List.of(Destination.of("files.example:8443"), Destination.of("*")));
        assertThat(Rules.preset("workspace").network()).isEmpty();
        assertThat(Rules.parse("t", "version: 1\nextends: workspace\n").digest())
                .isNotEqualTo(
                        Rules.parse("t", "version: 1\nextends: workspace\nnetwork: a.example\n")
                                .digest());
    }

    @Test
    void whatIsNoDestinationIsRefusedWithItsLine() {
        assertThatThrownBy(
                        () -> Rules.parse("t", "version: 1\nextends: full\nnetwork: [localhost]\n"))
                .isInstanceOf(RulesException.class)
                .hasMessageContaining("3")
                .hasMessageContaining("'localhost' is no destination");
    }
}
