package ai.hanzo.dev.zap.rpc;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.rpc.Envelope.Call;
import ai.hanzo.dev.zap.rpc.Envelope.Response;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The serving side of promise pipelining on one connection: a call may name the answer of another
 * call as its payload, before that answer is there. Says for each call and answer what to do next;
 * does no I/O and has no clock.
 *
 * <p>A call that waits for an answer is <i>parked</i>. Parked calls do not count as running, so the
 * call that they wait for can always be read and run; they are bounded in number and in time, and a
 * call that waits for itself, at whatever distance, is refused at once. So a peer cannot make a
 * connection wait for ever. Answers are kept for calls to come, the oldest forgotten first; a call
 * that names a forgotten one ends when its patience does.
 *
 * <p>The payload of a call with a target is replaced as a whole by the body of the target's answer.
 *
 * <p>Used by one thread.
 */
public final class Pipeline {
    private final Bounds bounds;

    /** Calls that a handler has. */
    private final Map<Long, Call> running = new HashMap<>();

    /** Promise → a call that waits for its target, in order of arrival. */
    private final Map<Long, Parked> parked = new LinkedHashMap<>();

    /** Calls whose target is there, but no room to run them. */
    private final Deque<Call> ready = new ArrayDeque<>();

    /** Promise → its answer, oldest first. */
    private final Map<Long, Response> kept = new LinkedHashMap<>();

    private long keptBytes;

    /**
     * What one peer may cost.
     *
     * @param running calls that handlers have at a time
     * @param parked calls that wait for an answer or for room
     * @param kept answers
     * @param keptBytes bytes of their bodies
     * @param patience how long a call may be parked
     */
    public record Bounds(int running, int parked, int kept, long keptBytes, Duration patience) {
        /**
         * 256 running, as the public runtimes have, 64 parked for 30 s, 1,024 answers of 16 MiB.
         */
        public static final Bounds STANDARD =
                new Bounds(256, 64, 1_024, 16L << 20, Duration.ofSeconds(30));
    }

    /** What is to be done. */
    public sealed interface Step {
        /** Hand the call to its handler; its answer comes back by {@link #answered}. */
        record Dispatch(Call call) implements Step {}

        /** Send the response. */
        record Send(Response response) implements Step {}
    }

    private record Parked(Call call, long untilNanos) {}

    public Pipeline(Bounds bounds) {
        this.bounds = bounds;
    }

    /** Whether another frame should be read; false while as many calls run as may. */
    public boolean mayRead() {
        return running.size() < bounds.running();
    }

    /** Calls that handlers have. */
    public int running() {
        return running.size();
    }

    /** Calls that wait. */
    public int parked() {
        return parked.size() + ready.size();
    }

    /** Answers that are kept. */
    public int kept() {
        return kept.size();
    }

    /**
     * A call has arrived.
     *
     * @param nowNanos as {@link System#nanoTime} gives it
     * @throws CodecException if its promise is in use, so that nobody could tell the two answers
     *     apart; the connection must be closed
     */
    public List<Step> call(Call call, long nowNanos) {
        long promise = call.promise();
        if (isInUse(promise)) {
            throw CodecException.badValue("promise " + promise + " is in use");
        }
        if (promise == 0) {
            return List.of(refusal(call));
        }
        forget(promise);
        if (call.target() == 0) {
            return start(call);
        }
        Response answer = kept.get(call.target());
        if (answer != null) {
            return answer.status() == Response.OK
                    ? start(withPayload(call, answer.body()))
                    : refuse(call);
        }
        if (waitsForItself(call) || parked() >= bounds.parked()) {
            return refuse(call);
        }
        parked.put(promise, new Parked(call, nowNanos + bounds.patience().toNanos()));
        return List.of();
    }

    /**
     * A handler has answered. The response is sent, and what waited for it goes on.
     *
     * @throws IllegalArgumentException if no call of that promise runs
     */
    public List<Step> answered(Response response) {
        if (running.remove(response.promise()) == null) {
            throw new IllegalArgumentException("no call of promise " + response.promise());
        }
        var steps = new ArrayList<Step>();
        settle(response, steps);
        startReady(steps);
        return steps;
    }

    /** Ends the calls that have been parked for too long. */
    public List<Step> expire(long nowNanos) {
        var steps = new ArrayList<Step>();
        for (Parked waiting : List.copyOf(parked.values())) {
            boolean isThere = parked.containsKey(waiting.call().promise());
            if (isThere && nowNanos - waiting.untilNanos() >= 0) {
                parked.remove(waiting.call().promise());
                settle(failed(waiting.call()), steps);
            }
        }
        return steps;
    }

    /** Forgets an answer that will not be named again. */
    public void finish(long promise) {
        forget(promise);
    }

    private boolean isInUse(long promise) {
        return running.containsKey(promise)
                || parked.containsKey(promise)
                || ready.stream().anyMatch(call -> call.promise() == promise);
    }

    /** Follows the targets of parked calls; there is no circle among them, so it ends. */
    private boolean waitsForItself(Call call) {
        long target = call.target();
        while (target != call.promise()) {
            Parked next = parked.get(target);
            if (next == null) {
                return false;
            }
            target = next.call().target();
        }
        return true;
    }

    private List<Step> start(Call call) {
        if (running.size() >= bounds.running()) {
            if (parked() >= bounds.parked()) {
                return refuse(call);
            }
            ready.add(call);
            return List.of();
        }
        running.put(call.promise(), call);
        return List.of(new Step.Dispatch(call));
    }

    private void startReady(List<Step> steps) {
        while (!ready.isEmpty() && running.size() < bounds.running()) {
            Call call = ready.remove();
            running.put(call.promise(), call);
            steps.add(new Step.Dispatch(call));
        }
    }

    private List<Step> refuse(Call call) {
        var steps = new ArrayList<Step>();
        settle(failed(call), steps);
        return steps;
    }

    /** Sends and keeps an answer; what waited for a failure fails too, at whatever distance. */
    private void settle(Response first, List<Step> steps) {
        var settled = new ArrayDeque<Response>(List.of(first));
        while (!settled.isEmpty()) {
            Response response = settled.remove();
            steps.add(new Step.Send(response));
            keep(response);
            for (Call call : unpark(response.promise())) {
                if (response.status() == Response.OK) {
                    ready.add(withPayload(call, response.body()));
                } else {
                    settled.add(failed(call));
                }
            }
        }
        startReady(steps);
    }

    private List<Call> unpark(long target) {
        var calls = new ArrayList<Call>();
        for (Iterator<Parked> all = parked.values().iterator(); all.hasNext(); ) {
            Call call = all.next().call();
            if (call.target() == target) {
                all.remove();
                calls.add(call);
            }
        }
        return calls;
    }

    private void keep(Response response) {
        forget(response.promise());
        kept.put(response.promise(), response);
        keptBytes += response.body().length();
        Iterator<Response> oldest = kept.values().iterator();
        while (kept.size() > bounds.kept() || keptBytes > bounds.keptBytes()) {
            keptBytes -= oldest.next().body().length();
            oldest.remove();
        }
    }

    private void forget(long promise) {
        Response response = kept.remove(promise);
        if (response != null) {
            keptBytes -= response.body().length();
        }
    }

    private static Call withPayload(Call call, Bytes payload) {
        return new Call(call.method(), call.promise(), 0, call.capability(), payload);
    }

    private static Response failed(Call call) {
        return new Response(Response.BAD_REQUEST, call.promise(), Bytes.empty());
    }

    private static Step refusal(Call call) {
        return new Step.Send(failed(call));
    }
}
