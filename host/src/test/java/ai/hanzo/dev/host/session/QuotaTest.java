package ai.hanzo.dev.host.session;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.session.Asks.Quota;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a provider said stays the same through any number of restarts. */
class QuotaTest {
    private static final Instant UNTIL = Instant.parse("2026-01-02T03:04:05.678Z");

    @ParameterizedTest
    @CsvSource({
        "1, too many requests",
        "2, too many requests",
        "17, later (put off 3 times) again"
    })
    void whatIsWrittenIsRead(int times, String message) {
        Quota quota = new Quota(UNTIL, times, message);

        assertThat(Quota.parse(quota.text())).contains(quota);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "tomorrow maybe", "2026-13-02T03:04:05Z no month"})
    void anythingElseIsNone(String text) {
        assertThat(Quota.parse(text)).isEmpty();
    }
}
