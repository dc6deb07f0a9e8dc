package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.model.Cancellation;
import ai.hanzo.dev.host.model.DeltaListener;
import ai.hanzo.dev.host.model.ModelOutcome;
import ai.hanzo.dev.host.model.ModelRequest;
import ai.hanzo.dev.host.model.Models.Selection;
import ai.hanzo.dev.host.model.Transcripts;
import ai.hanzo.dev.host.secret.MaskedPieces;
import ai.hanzo.dev.host.secret.SecretException;
import ai.hanzo.dev.host.session.OpenActions.Open;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Failpoint;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.ActionId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The questions to the model: built from the transcript on the session's thread, asked on threads
 * of their own. One that the provider put off is parked, one that lacks a key waits for it; both
 * are asked again under the same id.
 */
final class Asks {
    private final SessionScope scope;
    private final Transcripts transcripts;
    private final Supplier<Selection> model;
    private final Settler settler;
    private final Listener listener;
    private final InstantSource clock;
    private final Map<ActionId, Running> running = new ConcurrentHashMap<>();
    private final Map<ActionId, Parked> parked = new ConcurrentHashMap<>();
    private volatile Optional<Selection.KeyMissing> keyMissing = Optional.empty();

    /** Told of what is not recorded by itself. */
    interface Listener {
        /** Pieces of an answer. */
        DeltaListener deltas(Open ask);

        /** No more pieces will come of it. */
        void ended(Open ask);

        /** A provider said: later. The session's state has changed; it is due at {@code until}. */
        void parked(Instant until, String message);

        /** The key of the provider is not known. */
        void keyMissing(String message);
    }

    private record Running(Cancellation cancellation) {}

    /** An ask that waits, and how often it has been put off. */
    private record Parked(Open ask, Instant until, int times, String message) {}

    Asks(
            SessionScope scope,
            Transcripts transcripts,
            Supplier<Selection> model,
            Settler settler,
            Listener listener,
            InstantSource clock) {
        this.scope = scope;
        this.transcripts = transcripts;
        this.model = model;
        this.settler = settler;
        this.listener = listener;
        this.clock = clock;
    }

    /** Brings the edits of an ask into the transcript: once, in the order of the ids. */
    void transcribe(ActionId id, Op.ModelAsk ask) {
        transcripts.apply(id, ask);
    }

    /** The work of asking, to be run on a thread of its own; the question is built now. */
    Work prepare(Open open, Op.ModelAsk ask, int times) {
        ModelRequest request;
        try {
            request = transcripts.request(open.action().id(), ask, scope.config(), times);
        } catch (SecretException e) {
            return () ->
                    settler.failure(
                            open.action().id(),
                            open.turn(),
                            Event.FailureCode.REFUSED,
                            e.getMessage());
        }
        Running mine = new Running(new Cancellation());
        running.put(open.action().id(), mine);
        return () -> ask(open, request, times, mine.cancellation());
    }

    /** Something to be done on a thread of its own. */
    interface Work {
        void run() throws InterruptedException;
    }

    private void ask(Open open, ModelRequest request, int times, Cancellation cancellation)
            throws InterruptedException {
        ActionId id = open.action().id();
        try {
            switch (model.get()) {
                case Selection.Ready ready -> {
                    keyMissing = Optional.empty();
                    DeltaListener deltas = listener.deltas(open);
                    MaskedPieces pieces = settler.pieces(deltas::text);
                    try {
                        ModelOutcome outcome =
                                ready.provider().ask(request, masked(pieces, deltas), cancellation);
                        pieces.end();
                        settle(open, times, outcome);
                    } finally {
                        listener.ended(open);
                    }
                }
                case Selection.KeyMissing missing -> {
                    keyMissing = Optional.of(missing);
                    parked.put(id, new Parked(open, Instant.MAX, times, missing.message()));
                    listener.keyMissing(missing.message());
                }
                case Selection.Refused refused ->
                        settler.failure(
                                id, open.turn(), Event.FailureCode.REFUSED, refused.message());
            }
        } finally {
            running.remove(id);
        }
    }

    /** The texts of calls are not passed on. */
    private static DeltaListener masked(MaskedPieces pieces, DeltaListener deltas) {
        return new DeltaListener() {
            @Override
            public void text(String piece) {
                pieces.add(piece);
            }

            @Override
            public void restart() {
                pieces.forget();
                deltas.restart();
            }
        };
    }

    private void settle(Open open, int times, ModelOutcome outcome) throws InterruptedException {
        Failpoint.OUTCOME_HERE.reached();
        ActionId id = open.action().id();
        switch (outcome) {
            case ModelOutcome.Replied(Event.ModelReply reply) ->
                    settler.reply(id, open.turn(), reply);
            case ModelOutcome.Failed(Event.ModelFailed failure) ->
                    settler.failure(id, open.turn(), failure.code(), failure.message());
            case ModelOutcome.Parked(Duration wait, String text) -> {
                String message = settler.mask(text);
                Instant until = clock.instant().plus(wait);
                parked.put(id, new Parked(open, until, times + 1, message));
                listener.parked(until, message);
            }
            case ModelOutcome.Cancelled _ -> {}
        }
    }

    /** Puts an ask off without asking: a restarted host keeps to what the provider said. */
    void park(Open open, Quota quota) {
        parked.put(
                open.action().id(),
                new Parked(open, quota.until(), quota.times(), quota.message()));
    }

    /** The asks whose time has come, to be asked again. */
    Map<Open, Integer> due() {
        Map<Open, Integer> due =
                new java.util.TreeMap<>(
                        java.util.Comparator.comparing((Open open) -> open.action().id()));
        boolean hasKey = keyMissing.isEmpty() || model.get() instanceof Selection.Ready;
        for (Parked waiting : parked.values()) {
            boolean lacksKey = waiting.until().equals(Instant.MAX);
            if (lacksKey ? hasKey : !waiting.until().isAfter(clock.instant())) {
                due.put(waiting.ask(), waiting.times());
            }
        }
        due.keySet().forEach(open -> parked.remove(open.action().id()));
        return due;
    }

    /** Stops asking. */
    void stop(ActionId id) {
        parked.remove(id);
        Optional.ofNullable(running.get(id)).ifPresent(mine -> mine.cancellation().cancel());
    }

    /** Stops asking anything. */
    void stopAll() {
        running.values().forEach(mine -> mine.cancellation().cancel());
    }

    boolean isParked(ActionId id) {
        return parked.containsKey(id);
    }

    /** Why nothing goes on, if asks wait for a key. */
    Optional<String> missingKey() {
        return parked.values().stream()
                .filter(waiting -> waiting.until().equals(Instant.MAX))
                .map(Parked::message)
                .findFirst();
    }

    /** Until when nothing goes on, if asks wait for a provider. */
    Optional<Quota> quota() {
        return parked.values().stream()
                .filter(waiting -> !waiting.until().equals(Instant.MAX))
                .map(waiting -> new Quota(waiting.until(), waiting.times(), waiting.message()))
                .findFirst();
    }

    /**
     * A provider's "later". Its text is kept in the session's row, for people and for the next
     * host.
     *
     * @param times how often the ask has been put off, 1 or more
     */
    record Quota(Instant until, int times, String message) {
        private static final Pattern TEXT =
                Pattern.compile("(\\S+) (.*?)(?: \\(put off (\\d+) times\\))?", Pattern.DOTALL);

        String text() {
            return until + " " + message + (times == 1 ? "" : " (put off " + times + " times)");
        }

        /** Reads {@link #text}; empty if it is none. */
        static Optional<Quota> parse(String text) {
            Matcher parts = TEXT.matcher(text);
            if (!parts.matches()) {
                return Optional.empty();
            }
            try {
                String times = parts.group(3);
                return Optional.of(
                        new Quota(
                                Instant.parse(parts.group(1)),
                                times == null ? 1 : Integer.parseInt(times),
                                parts.group(2)));
            } catch (DateTimeParseException | NumberFormatException e) {
                return Optional.empty();
            }
        }
    }
}
