package ai.hanzo.dev.host.model;

import ai.hanzo.dev.host.model.Endpoint.Answer;
import ai.hanzo.dev.host.model.RetryPolicy.Verdict;
import ai.hanzo.dev.host.tool.Calls;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Event.FailureCode;
import ai.hanzo.dev.protocol.id.ActionId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A model behind an {@link Endpoint}: tries again what may be over soon, bounds the time of an ask,
 * and types the calls of the reply. Each ask runs on its caller's thread, with one virtual thread
 * beside it that watches the time. Safe for all threads.
 */
final class RetryingModel implements ModelProvider {
    private static final Logger LOG = LoggerFactory.getLogger(RetryingModel.class);

    private final Endpoint endpoint;
    private final Calls calls;
    private final Duration limit;
    private final Surroundings surroundings;

    /** What a test replaces. */
    record Surroundings(InstantSource clock, Pauses pauses, RandomGenerator random) {
        static final Surroundings REAL =
                new Surroundings(
                        InstantSource.system(), Pauses.REAL, RandomGenerator.of("SecureRandom"));
    }

    RetryingModel(Endpoint endpoint, Calls calls, Duration limit, Surroundings surroundings) {
        this.endpoint = endpoint;
        this.calls = calls;
        this.limit = limit;
        this.surroundings = surroundings;
    }

    @Override
    public ModelOutcome ask(ModelRequest request, DeltaListener deltas, Cancellation cancellation)
            throws InterruptedException {
        Cancellation stop = new Cancellation();
        try (var _ = cancellation.onCancel(stop::cancel)) {
            Thread.ofVirtual().name("model-time-limit").start(() -> stopAfter(limit, stop));
            return tries(request, new Pieces(deltas), cancellation, stop);
        } finally {
            stop.cancel();
        }
    }

    private static void stopAfter(Duration limit, Cancellation stop) {
        try {
            if (!stop.await(limit)) {
                stop.cancel();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private ModelOutcome tries(
            ModelRequest request, Pieces pieces, Cancellation cancellation, Cancellation stop)
            throws InterruptedException {
        Instant end = surroundings.clock().instant().plus(limit);
        for (int number = 0; ; number++) {
            Duration left = Duration.between(surroundings.clock().instant(), end);
            if (!left.isPositive()) {
                return timedOut(request.id());
            }
            Answer answer =
                    endpoint.attempt(new Endpoint.Attempt(request, number, pieces, stop, left));
            switch (answer) {
                case Answer.Whole whole -> {
                    pieces.end();
                    return replied(request, whole);
                }
                case Answer.Stopped _ -> {
                    return stopped(request.id(), cancellation);
                }
                case Answer.Broken broken -> {
                    Optional<ModelOutcome> last =
                            broken(request, broken.fault(), number, end, stop);
                    if (last.isPresent()) {
                        return last.get();
                    }
                    if (stop.isCancelled()) {
                        return stopped(request.id(), cancellation);
                    }
                    pieces.restart();
                }
            }
        }
    }

    /** Waits for the next try, or says what the last one came to. */
    private Optional<ModelOutcome> broken(
            ModelRequest request, Fault fault, int number, Instant end, Cancellation stop)
            throws InterruptedException {
        Duration left = Duration.between(surroundings.clock().instant(), end);
        return switch (RetryPolicy.after(fault, number, left, surroundings.random())) {
            case Verdict.Again(Duration pause) -> {
                LOG.atDebug()
                        .addKeyValue("action", request.id())
                        .addKeyValue("kind", fault.kind())
                        .addKeyValue("try", number)
                        .addKeyValue("pauseMillis", pause.toMillis())
                        .log("model is asked again");
                surroundings.pauses().pause(pause, stop);
                yield Optional.empty();
            }
            case Verdict.Park(Duration pause) ->
                    Optional.of(new ModelOutcome.Parked(pause, fault.message()));
            case Verdict.GiveUp() -> {
                String tries = number == 0 ? "" : " (tried " + (number + 1) + " times)";
                yield Optional.of(
                        failed(request.id(), fault.kind().code(), fault.message() + tries));
            }
        };
    }

    private ModelOutcome replied(ModelRequest request, Answer.Whole whole) {
        List<Call> read = new ArrayList<>(whole.calls().size());
        for (Endpoint.Written call : whole.calls()) {
            read.add(calls.read(call.id(), call.tool(), call.arguments(), request.tools()));
        }
        String text =
                switch (whole.ending()) {
                    case WHOLE -> whole.text();
                    case CUT ->
                            whole.text() + "\n[cut off: the model's limit of output was reached]";
                };
        return new ModelOutcome.Replied(
                new Event.ModelReply(
                        request.id(),
                        text.isEmpty() ? Optional.empty() : Optional.of(text),
                        read,
                        whole.usage()));
    }

    private ModelOutcome stopped(ActionId id, Cancellation cancellation) {
        return cancellation.isCancelled() ? new ModelOutcome.Cancelled() : timedOut(id);
    }

    private ModelOutcome timedOut(ActionId id) {
        return failed(
                id,
                FailureCode.TIMED_OUT,
                "The model did not answer within " + limit.toSeconds() + " seconds.");
    }

    private static ModelOutcome failed(ActionId id, FailureCode code, String message) {
        return new ModelOutcome.Failed(new Event.ModelFailed(id, code, message));
    }

    /** Passes the pieces on, whole characters only. Used by the asking thread. */
    private static final class Pieces implements DeltaListener {
        private final DeltaListener to;
        private String held = "";
        private boolean told;

        Pieces(DeltaListener to) {
            this.to = to;
        }

        @Override
        public void text(String piece) {
            String all = held + piece;
            boolean split =
                    !all.isEmpty() && Character.isHighSurrogate(all.charAt(all.length() - 1));
            int whole = split ? all.length() - 1 : all.length();
            held = all.substring(whole);
            if (whole > 0) {
                told = true;
                to.text(all.substring(0, whole));
            }
        }

        @Override
        public void call(int index, String tool, String piece) {
            told = true;
            to.call(index, tool, piece);
        }

        @Override
        public void restart() {
            held = "";
            if (told) {
                told = false;
                to.restart();
            }
        }

        void end() {
            if (!held.isEmpty()) {
                to.text(held);
                held = "";
            }
        }
    }
}
