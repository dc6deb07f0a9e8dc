package ai.hanzo.dev.host.model;

import ai.hanzo.dev.host.model.Script.Entry;
import ai.hanzo.dev.host.model.Script.ScriptCall;
import ai.hanzo.dev.host.model.Script.ScriptError;
import ai.hanzo.dev.protocol.Event.Usage;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads a script token by token, to know the line and column of whatever is wrong. */
final class ScriptReader {
    /** Where an array or object began, as the parser tells it; the place is told already. */
    private static final Pattern PLACE = Pattern.compile(" \\(start marker at .*\\)$");

    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    /** Longer delays are surely slips: 10 minutes. */
    private static final long LONGEST_DELAY_MILLIS = 600_000;

    private final JsonParser in;
    private String key = "";

    private ScriptReader(JsonParser in) {
        this.in = in;
    }

    static Script read(String json) {
        try (JsonParser parser = JSON.createParser(json)) {
            return new ScriptReader(parser).script();
        } catch (JsonProcessingException e) {
            throw ModelException.badScript(
                    place(e.getLocation()),
                    PLACE.matcher(e.getOriginalMessage().lines().findFirst().orElse("no JSON"))
                                    .replaceAll("")
                            + ".");
        } catch (IOException e) {
            throw new IllegalStateException("a string cannot fail to be read", e);
        }
    }

    private Script script() throws IOException {
        List<Entry> entries = new ArrayList<>();
        in.nextToken();
        expect(JsonToken.START_ARRAY, "an array of replies");
        while (in.nextToken() != JsonToken.END_ARRAY) {
            entries.add(entry());
        }
        if (in.nextToken() != null) {
            throw wrong("nothing may follow the array");
        }
        return new Script(entries);
    }

    private Entry entry() throws IOException {
        expect(JsonToken.START_OBJECT, "a reply, an object with \"text\", \"calls\" or \"error\"");
        String text = "";
        List<ScriptCall> calls = List.of();
        Duration delay = Duration.ZERO;
        Optional<Usage> usage = Optional.empty();
        Optional<ScriptError> error = Optional.empty();
        while (nextKey()) {
            switch (key) {
                case "text" -> text = text();
                case "calls" -> calls = calls();
                case "delayMs" -> delay = Duration.ofMillis(number(0, LONGEST_DELAY_MILLIS));
                case "usage" -> usage = Optional.of(usage());
                case "error" -> error = Optional.of(error());
                default -> throw unknown("text, calls, delayMs, usage, error");
            }
        }
        if (error.isPresent() && !calls.isEmpty()) {
            throw wrong("a reply has \"calls\" or an \"error\", not both");
        }
        return new Entry(text, calls, delay, usage, error);
    }

    private List<ScriptCall> calls() throws IOException {
        expect(JsonToken.START_ARRAY, "an array of calls");
        List<ScriptCall> calls = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            calls.add(call());
        }
        return calls;
    }

    private ScriptCall call() throws IOException {
        expect(JsonToken.START_OBJECT, "a call, an object with \"tool\" and \"args\"");
        JsonLocation start = in.currentTokenLocation();
        String tool = "";
        Optional<String> arguments = Optional.empty();
        while (nextKey()) {
            switch (key) {
                case "tool" -> tool = text();
                case "args" -> {
                    expect(JsonToken.START_OBJECT, "an object");
                    arguments = Optional.of(in.readValueAsTree().toString());
                }
                case "raw" -> arguments = Optional.of(text());
                default -> throw unknown("tool, args, raw");
            }
        }
        if (tool.isEmpty()) {
            throw ModelException.badScript(place(start), "this call has no \"tool\".");
        }
        return new ScriptCall(tool, arguments.orElse("{}"));
    }

    private Usage usage() throws IOException {
        expect(JsonToken.START_OBJECT, "an object with \"input\" and \"output\"");
        long input = 0;
        long output = 0;
        while (nextKey()) {
            switch (key) {
                case "input" -> input = number(0, Integer.MAX_VALUE);
                case "output" -> output = number(0, Integer.MAX_VALUE);
                default -> throw unknown("input, output");
            }
        }
        return new Usage(input, output);
    }

    private ScriptError error() throws IOException {
        expect(JsonToken.START_OBJECT, "an object with \"status\"");
        JsonLocation start = in.currentTokenLocation();
        long status = -1;
        Optional<Duration> retryAfter = Optional.empty();
        String code = "";
        String message = "";
        while (nextKey()) {
            switch (key) {
                case "status" -> {
                    status = number(0, 599);
                    if (status != 0 && status < 400) {
                        throw wrong(
                                "\"status\" must be from 400 to 599, or 0 for a broken connection");
                    }
                }
                case "retryAfter" ->
                        retryAfter = Optional.of(Duration.ofSeconds(number(0, 2_678_400)));
                case "code" -> code = text();
                case "message" -> message = text();
                default -> throw unknown("status, retryAfter, code, message");
            }
        }
        if (status < 0) {
            throw ModelException.badScript(place(start), "this error has no \"status\".");
        }
        return new ScriptError((int) status, retryAfter, code, message);
    }

    /** Goes to the next key and its value; false at the end of the object. */
    private boolean nextKey() throws IOException {
        if (in.nextToken() == JsonToken.END_OBJECT) {
            return false;
        }
        key = in.currentName();
        in.nextToken();
        return true;
    }

    private String text() throws IOException {
        expect(JsonToken.VALUE_STRING, "a string");
        return in.getText();
    }

    private long number(long least, long most) throws IOException {
        expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
        boolean fits = in.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
        if (!fits || in.getLongValue() < least || in.getLongValue() > most) {
            throw wrong("\"" + key + "\" must be from " + least + " to " + most);
        }
        return in.getLongValue();
    }

    private void expect(JsonToken token, String what) {
        if (in.currentToken() != token) {
            String subject = key.isEmpty() ? "here" : "at \"" + key + "\"";
            throw wrong(what + " must stand " + subject);
        }
    }

    private ModelException unknown(String known) {
        return wrong("\"" + key + "\" is not known; known are " + known);
    }

    private ModelException wrong(String what) {
        return ModelException.badScript(place(in.currentTokenLocation()), what + ".");
    }

    private static String place(JsonLocation at) {
        return "at line " + at.getLineNr() + ", column " + at.getColumnNr();
    }
}
