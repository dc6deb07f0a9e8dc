package ai.hanzo.dev.host.model;

import ai.hanzo.dev.protocol.Event.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Plays a script without a network. Holds no position: which entry a try plays follows from how
 * many asks, parkings and tries came before it, so that a host that takes a session over plays on
 * where the other one was. Safe for all threads.
 *
 * <p>An ask takes one entry for each of its tries: the errors that are tried again, then the reply
 * or the error that ends it.
 */
final class ScriptEndpoint implements Endpoint {
    private static final int PIECE_CHARS = 16;

    private final Script script;
    private final Pauses pauses;

    ScriptEndpoint(Script script, Pauses pauses) {
        this.script = script;
        this.pauses = pauses;
    }

    @Override
    public Answer attempt(Attempt attempt) throws InterruptedException {
        ModelRequest request = attempt.request();
        Script.Entry entry =
                script.at(start(request.ordinal(), request.parked()) + attempt.number());
        if (!entry.delay().isZero() && pauses.pause(entry.delay(), attempt.stop())) {
            return new Answer.Stopped();
        }
        if (attempt.stop().isCancelled()) {
            return new Answer.Stopped();
        }
        tell(entry.text(), attempt.deltas());
        if (entry.error().isPresent()) {
            return new Answer.Broken(fault(entry.error().get()));
        }
        List<Written> calls = new ArrayList<>();
        for (int i = 0; i < entry.calls().size(); i++) {
            Script.ScriptCall call = entry.calls().get(i);
            attempt.deltas().call(i, call.tool(), call.arguments());
            calls.add(new Written("script_" + i, call.tool(), call.arguments()));
        }
        Usage usage = entry.usage().orElseGet(() -> estimate(request, entry));
        return new Answer.Whole(entry.text(), calls, usage, Ending.WHOLE);
    }

    /** The index of the first entry of an ask, after it was parked so many times. */
    int start(int ordinal, int parked) {
        int at = 0;
        for (int ask = 0; ask < ordinal && at < script.entries().size(); ask++) {
            at = afterAsk(at);
        }
        for (int parking = 0; parking < parked && at < script.entries().size(); parking++) {
            at = afterParking(at);
        }
        return at;
    }

    /** Where the ask after the one that begins at {@code at} begins. */
    private int afterAsk(int at) {
        int tries = 0;
        while (true) {
            Optional<Fault> fault = script.at(at++).error().map(ScriptEndpoint::fault);
            if (fault.isEmpty() || !fault.get().kind().isRetried()) {
                return at;
            }
            if (RetryPolicy.isParked(fault.get())) {
                tries = 0;
            } else if (RetryPolicy.isLast(tries++)) {
                return at;
            }
        }
    }

    /** Where the ask that begins at {@code at} goes on after its first parking. */
    private int afterParking(int at) {
        for (int i = at; ; i++) {
            Optional<Fault> fault = script.at(i).error().map(ScriptEndpoint::fault);
            if (fault.isEmpty() || !fault.get().kind().isRetried()) {
                return i;
            }
            if (RetryPolicy.isParked(fault.get())) {
                return i + 1;
            }
        }
    }

    private static Fault fault(Script.ScriptError error) {
        String said = error.message().isEmpty() ? "the script says so." : error.message();
        Fault.Kind kind = kind(error);
        Optional<Duration> wish = kind.isRetried() ? error.retryAfter() : Optional.empty();
        return new Fault(kind, "The script model failed (" + error.status() + "): " + said, wish);
    }

    private static Fault.Kind kind(Script.ScriptError error) {
        if (error.status() == 413 || error.code().equals("context_length_exceeded")) {
            return Fault.Kind.OVERFLOW;
        }
        if (error.code().equals("malformed")) {
            return Fault.Kind.GARBLED;
        }
        if (error.status() == 429) {
            return Fault.Kind.RATE_LIMIT;
        }
        return error.status() == 0 || error.status() == 408 || error.status() >= 500
                ? Fault.Kind.TRANSIENT
                : Fault.Kind.REFUSED;
    }

    private static void tell(String text, DeltaListener deltas) {
        int at = 0;
        while (at < text.length()) {
            int end = Math.min(text.length(), at + PIECE_CHARS);
            deltas.text(text.substring(at, end));
            at = end;
        }
    }

    private static Usage estimate(ModelRequest request, Script.Entry entry) {
        long shown =
                request.messages().stream().collect(Collectors.summingLong(ScriptEndpoint::chars));
        long said = entry.text().length();
        for (Script.ScriptCall call : entry.calls()) {
            said += call.arguments().length();
        }
        return new Usage((shown + 3) / 4, (said + 3) / 4);
    }

    private static long chars(ModelMessage message) {
        return switch (message) {
            case ModelMessage.Standing standing -> standing.text().length();
            case ModelMessage.User user -> user.text().length();
            case ModelMessage.Assistant assistant ->
                    assistant.text().orElse("").length()
                            + assistant.calls().stream()
                                    .mapToLong(call -> call.arguments().length())
                                    .sum();
            case ModelMessage.ToolResult result -> result.text().length();
        };
    }
}
