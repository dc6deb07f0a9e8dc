package ai.hanzo.dev.host.model;

import ai.hanzo.dev.host.model.Fault.Kind;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads what a provider's errors mean. Every message is one sentence for a person and free of the
 * key. Safe for all threads.
 */
final class Faults {
    private static final int SHORTEST_KEY = 8;
    private static final int LONGEST_QUOTE = 400;

    /** How providers word it; only looked at in answers 400, 413 and 422 and in streams. */
    private static final Pattern OVERFLOW =
            Pattern.compile(
                    "context_length_exceeded|context length|context window|context size"
                            + "|context limit|prompt is too long|too many (input )?tokens"
                            + "|maximum (number of )?tokens|request_too_large|input is too long"
                            + "|exceeds the (available|maximum) context",
                    Pattern.CASE_INSENSITIVE);

    private static final Pattern FILTERED =
            Pattern.compile(
                    "content_filter|content_policy|content management policy|responsible_ai",
                    Pattern.CASE_INSENSITIVE);

    private static final Pattern SPENT =
            Pattern.compile(
                    "insufficient_quota|billing_hard_limit|credit balance",
                    Pattern.CASE_INSENSITIVE);

    private final ObjectMapper json;
    private final InstantSource clock;
    private final Who who;

    /**
     * @param json to read bodies with
     * @param clock for times of day in answers
     */
    Faults(ObjectMapper json, InstantSource clock, Who who) {
        this.json = json;
        this.clock = clock;
        this.who = who;
    }

    /**
     * Whom the messages speak of.
     *
     * @param model such as {@code openai:gpt-5}
     * @param place the host and port of the endpoint
     * @param variable that holds the key; empty if none is needed
     * @param key never to be shown; empty if none is needed
     */
    record Who(String model, String place, String variable, String key) {
        /** Without the key. */
        @Override
        public String toString() {
            return "Who[" + model + " at " + place + "]";
        }
    }

    /** An answer other than 2xx. */
    Fault http(int status, HttpHeaders headers, String body) {
        JsonNode node = parsed(body);
        Optional<Duration> wish = RateLimits.wish(headers, node, clock.instant());
        String said = said(node, body);
        return of(status, node.isMissingNode() ? body : node.toString(), said, wish);
    }

    /** An error in a stream that had begun with 200. */
    Fault inStream(JsonNode chunk) {
        JsonNode error = chunk.path("error");
        String type =
                (error.path("type").asText("") + " " + error.path("code").asText(""))
                        .toLowerCase(Locale.ROOT);
        Optional<Duration> wish =
                RateLimits.wish(HttpHeaders.of(Map.of(), (_, _) -> true), chunk, clock.instant());
        int status = error.path("code").asInt(error.path("status").asInt(0));
        if (status < 400 || status > 599) {
            status = statusOf(type);
        }
        return of(status, chunk.toString(), said(chunk, chunk.toString()), wish);
    }

    /** No answer at all, or one that broke off. */
    Fault transport(String what) {
        return new Fault(
                Kind.TRANSIENT,
                who.model + " at " + who.place + " could not be reached: " + clean(what) + ".");
    }

    /** An answer that cannot be read. */
    Fault garbled(String what) {
        return new Fault(
                Kind.GARBLED,
                "The reply of " + who.model + " cannot be read: " + clean(what) + ".");
    }

    /** The model, or a filter before it, would not answer. */
    Fault filtered(String said) {
        return new Fault(
                Kind.REFUSED,
                who.model
                        + " refused to answer"
                        + (said.isBlank() ? " (content filter)." : ": " + quote(said)));
    }

    /** The conversation is longer than the model takes. */
    Fault overflow() {
        return new Fault(Kind.OVERFLOW, "The conversation is longer than " + who.model + " takes.");
    }

    private Fault of(int status, String body, String said, Optional<Duration> wish) {
        if (status == 429) {
            if (SPENT.matcher(body).find()) {
                return new Fault(
                        Kind.REFUSED,
                        "The quota of "
                                + who.model
                                + " is spent; raise it at the provider or choose another model with --model: "
                                + said);
            }
            return new Fault(
                    Kind.RATE_LIMIT,
                    who.model + " takes no more requests for now (429): " + said,
                    wish);
        }
        if (status == 408 || status >= 500) {
            return new Fault(Kind.TRANSIENT, who.model + " failed (" + status + "): " + said, wish);
        }
        if (FILTERED.matcher(body).find()) {
            return filtered(said);
        }
        if (status == 413 || ((status == 400 || status == 422) && OVERFLOW.matcher(body).find())) {
            return new Fault(
                    Kind.OVERFLOW,
                    "The conversation is longer than " + who.model + " takes: " + said);
        }
        return new Fault(Kind.REFUSED, refusal(status) + said);
    }

    private String refusal(int status) {
        return switch (status) {
            case 401, 403 ->
                    who.variable.isEmpty()
                            ? who.place + " does not let us in (" + status + "): "
                            : "The key in "
                                    + who.variable
                                    + " was not accepted by "
                                    + who.place
                                    + " ("
                                    + status
                                    + "); set another one: ";
            case 404 ->
                    who.place
                            + " does not know "
                            + who.model
                            + " (404); check the name and the base URL: ";
            default -> who.model + " refused the request (" + status + "): ";
        };
    }

    private static int statusOf(String type) {
        if (type.contains("overloaded")) {
            return 529;
        }
        if (type.contains("rate_limit")) {
            return 429;
        }
        if (type.contains("authentication") || type.contains("permission")) {
            return 401;
        }
        if (type.contains("not_found")) {
            return 404;
        }
        if (type.contains("too_large")) {
            return 413;
        }
        if (type.contains("invalid_request") || type.contains("context_length")) {
            return 400;
        }
        return 500;
    }

    private JsonNode parsed(String body) {
        try {
            JsonNode node = json.readTree(body);
            return node == null ? MissingNode.getInstance() : node;
        } catch (JsonProcessingException _) {
            return MissingNode.getInstance();
        }
    }

    private String said(JsonNode node, String body) {
        JsonNode error = node.path("error");
        String message = error.isTextual() ? error.asText() : error.path("message").asText("");
        if (message.isEmpty()) {
            message = node.path("message").asText(node.path("detail").asText(""));
        }
        return quote(message.isEmpty() ? body : message);
    }

    private String quote(String text) {
        String one = clean(text).strip().replaceAll("\\s+", " ");
        if (one.length() > LONGEST_QUOTE) {
            one = one.substring(0, LONGEST_QUOTE) + "…";
        }
        if (one.isEmpty()) {
            return "no reason given.";
        }
        return one.endsWith(".") ? one : one + ".";
    }

    private String clean(String text) {
        // A shorter key than any provider gives is part of words.
        return who.key.length() < SHORTEST_KEY ? text : text.replace(who.key, "[key]");
    }
}
