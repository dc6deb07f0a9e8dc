package ai.hanzo.dev.host.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RateLimitsTest {
    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    retry-after: 17                                  | 17s
                    retry-after: 0.2                                 | 0.2s
                    retry-after: Sun, 29 Nov 2026 12:00:30 GMT       | 30s
                    retry-after-ms: 1500                             | 1.5s
                    x-ratelimit-remaining-requests: 0; x-ratelimit-reset-requests: 1m30s | 90s
                    x-ratelimit-remaining-requests: 3; x-ratelimit-reset-requests: 1m30s |
                    anthropic-ratelimit-tokens-remaining: 0; anthropic-ratelimit-tokens-reset: 2026-11-29T12:05:00Z | 300s
                    retry-after: nonsense                            |
                    """)
    void headersSayWhen(String headers, @Nullable String expected) throws Exception {
        assertThat(wish(headers, "{}")).isEqualTo(duration(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"error":{"resets_in_seconds":9000}}                               | 9000s
                    {"error":{"message":"Please try again in 17s."}}                   | 17s
                    {"error":{"message":"try again in 17.3 seconds"}}                  | 17.3s
                    {"error":{"message":"Please try again in 6m0s. See the docs"}}     | 360s
                    {"error":{"message":"Please retry after 2 hours"}}                 | 7200s
                    {"error":{"message":"try again in 20ms"}}                          | 0.02s
                    {"error":{"resets_at":1795953660}}                                 | 60s
                    {"error":{"details":[{"retryDelay":"33s"}]}}                       | 33s
                    {"error":{"message":"Limit 30 per 60 seconds"}}                    |
                    {"error":{"retry_after":-5}}                                       |
                    """)
    void bodiesSayWhen(String body, @Nullable String expected) throws Exception {
        assertThat(wish("", body)).isEqualTo(duration(expected));
    }

    /** Field case C1: told twice, the later time counts. */
    @Test
    void theLatestOfAllTimesCounts() throws Exception {
        assertThat(wish("retry-after: 3", "{\"error\":{\"resets_in_seconds\":9000}}"))
                .contains(Duration.ofMinutes(150));
    }

    @Test
    void anAbsurdTimeIsBounded() throws Exception {
        assertThat(wish("retry-after: 1e300", "{}")).contains(Duration.ofDays(31));
    }

    private static Optional<Duration> wish(String headers, String body) throws Exception {
        Map<String, List<String>> map = new HashMap<>();
        for (String header : headers.split(";", -1)) {
            int colon = header.indexOf(':');
            if (colon > 0) {
                map.put(
                        header.substring(0, colon).strip(),
                        List.of(header.substring(colon + 1).strip()));
            }
        }
        return RateLimits.wish(
                HttpHeaders.of(map, (_, _) -> true), new ObjectMapper().readTree(body), NOW);
    }

    private static Optional<Duration> duration(@Nullable String text) {
        return Optional.ofNullable(text).map(each -> Duration.parse("PT" + each));
    }
}
