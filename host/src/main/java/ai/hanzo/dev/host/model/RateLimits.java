package ai.hanzo.dev.host.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a provider wants to be asked again: the latest of everything that its answer says of it.
 * Pure.
 *
 * <p>Sources: RFC 9110 section 10.2.3 (Retry-After); OpenAI's {@code retry-after-ms} and {@code
 * x-ratelimit-*}; Anthropic's {@code anthropic-ratelimit-*}; fields seen in the bodies of both and
 * of Google's RetryInfo; sentences such as "try again in 17.2s".
 */
final class RateLimits {
    /** Nobody is believed who asks for more: 31 days. */
    private static final Duration LONGEST = Duration.ofDays(31);

    private static final Pattern SENTENCE =
            Pattern.compile(
                    "(?:try again|retry|reset\\w*|wait)[^.]{0,40}?\\b(?:in|after|for)\\s+"
                            + "((?:\\d+(?:\\.\\d+)?\\s*(?:ms|milliseconds?|hours?|h|minutes?|min|m|"
                            + "seconds?|sec|s|days?|d)\\b\\s*)+|(?:\\d+(?:\\.\\d+)?[dhms]+)+)",
                    Pattern.CASE_INSENSITIVE);
    private static final Pattern AMOUNT =
            Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ms|milli|[dhms])", Pattern.CASE_INSENSITIVE);
    private static final List<String> WINDOWS =
            List.of("requests", "tokens", "input-tokens", "output-tokens");

    private RateLimits() {}

    /** How long to wait from {@code now} on, if the answer says. */
    static Optional<Duration> wish(HttpHeaders headers, JsonNode body, Instant now) {
        List<Duration> found = new ArrayList<>();
        headers.firstValue("retry-after-ms").ifPresent(value -> number(value, 0.001, found));
        headers.firstValue("retry-after").ifPresent(value -> retryAfter(value, now, found));
        for (String window : WINDOWS) {
            window(
                    headers,
                    "x-ratelimit-remaining-" + window,
                    "x-ratelimit-reset-" + window,
                    now,
                    found);
            String prefix = "anthropic-ratelimit-" + window;
            window(headers, prefix + "-remaining", prefix + "-reset", now, found);
        }
        fields(body, now, found, /* depth= */ 0);
        return found.stream()
                .filter(each -> !each.isNegative())
                .max(Duration::compareTo)
                .map(RateLimits::bounded);
    }

    private static Duration bounded(Duration wish) {
        return wish.compareTo(LONGEST) > 0 ? LONGEST : wish;
    }

    private static void retryAfter(String value, Instant now, List<Duration> found) {
        if (number(value, 1, found)) {
            return;
        }
        try {
            Instant date =
                    ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            found.add(Duration.between(now, date));
        } catch (DateTimeParseException _) {
            amount(value, found);
        }
    }

    /** A window counts only if it is the one that is used up. */
    private static void window(
            HttpHeaders headers,
            String remaining,
            String reset,
            Instant now,
            List<Duration> found) {
        if (headers.firstValue(remaining).filter(left -> left.strip().equals("0")).isPresent()) {
            headers.firstValue(reset).ifPresent(value -> moment(value, now, found));
        }
    }

    private static void moment(String value, Instant now, List<Duration> found) {
        try {
            found.add(Duration.between(now, Instant.parse(value.strip())));
        } catch (DateTimeParseException _) {
            if (!number(value, 1, found)) {
                amount(value, found);
            }
        }
    }

    private static void fields(JsonNode node, Instant now, List<Duration> found, int depth) {
        if (depth > 8) {
            return;
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            field(field.getKey(), field.getValue(), now, found);
        }
        for (JsonNode child : node) {
            fields(child, now, found, depth + 1);
        }
    }

    private static void field(String name, JsonNode value, Instant now, List<Duration> found) {
        if (value.isContainerNode()) {
            return;
        }
        String text = value.asText();
        switch (name) {
            case "resets_in_seconds", "reset_in_seconds", "retry_after", "retry_after_seconds" -> {
                if (!number(text, 1, found)) {
                    amount(text, found);
                }
            }
            case "retryAfter", "retryDelay", "retry_delay" -> {
                if (!number(text, 1, found)) {
                    amount(text, found);
                }
            }
            case "retry_after_ms", "resets_in_ms" -> number(text, 0.001, found);
            case "resets_at", "reset_at" -> {
                if (value.isNumber()) {
                    found.add(Duration.between(now, Instant.ofEpochSecond(value.asLong())));
                } else {
                    moment(text, now, found);
                }
            }
            case "message" -> {
                Matcher sentence = SENTENCE.matcher(text);
                while (sentence.find()) {
                    amount(sentence.group(1), found);
                }
            }
            default -> {}
        }
    }

    private static boolean number(String value, double seconds, List<Duration> found) {
        try {
            double number = Double.parseDouble(value.strip());
            if (Double.isFinite(number) && number >= 0) {
                double most = LONGEST.toSeconds();
                // Rounded up: never earlier than asked for.
                found.add(
                        Duration.ofMillis(
                                (long) Math.ceil(Math.min(number * seconds, most) * 1000)));
            }
            return true;
        } catch (NumberFormatException _) {
            return false;
        }
    }

    /** Sums such as {@code 1h2m3.5s} or {@code 2 minutes 5 seconds}. */
    private static void amount(String text, List<Duration> found) {
        Matcher part = AMOUNT.matcher(text);
        double seconds = 0;
        boolean any = false;
        while (part.find()) {
            any = true;
            double number = Double.parseDouble(part.group(1));
            seconds +=
                    switch (part.group(2).toLowerCase(Locale.ROOT)) {
                        case "ms", "milli" -> number / 1000;
                        case "d" -> number * 86_400;
                        case "h" -> number * 3_600;
                        case "m" -> number * 60;
                        default -> number;
                    };
        }
        if (any) {
            number(Double.toString(seconds), 1, found);
        }
    }
}
