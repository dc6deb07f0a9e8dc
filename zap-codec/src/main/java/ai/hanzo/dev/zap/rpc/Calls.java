package ai.hanzo.dev.zap.rpc;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.rpc.Envelope.Call;
import ai.hanzo.dev.zap.rpc.Envelope.Response;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The calling side of one connection: gives each call a promise of its own, and takes one answer
 * for it. An answer that nobody waits for, or a second one, is dropped and changes nothing, so a
 * peer cannot use it to hold anything up. Does no I/O. Used by one thread.
 */
public final class Calls {
    private final int most;
    private final Set<Long> waiting = new LinkedHashSet<>();
    private long last;

    /**
     * No calls yet.
     *
     * @param most calls that wait for their answers at a time
     */
    public Calls(int most) {
        this.most = most;
    }

    /** Whether another call may be made. */
    public boolean mayCall() {
        return waiting.size() < most;
    }

    /** Calls that wait for their answers. */
    public int waiting() {
        return waiting.size();
    }

    /**
     * A call to send, with a promise that no other waiting call has: 1, 2, 3 and so on, never 0.
     *
     * @throws IllegalStateException if as many wait as may
     */
    public Call call(long method, long target, Bytes capability, Bytes payload) {
        if (!mayCall()) {
            throw new IllegalStateException(waiting.size() + " calls wait for their answers");
        }
        do {
            last = last == Envelope.MAX_U32 ? 1 : last + 1;
        } while (waiting.contains(last));
        var call = new Call(method, last, target, capability, payload);
        waiting.add(last);
        return call;
    }

    /** An answer has come; says whether a call waited for it, which it does no longer. */
    public boolean answered(Response response) {
        return waiting.remove(response.promise());
    }

    /** The connection is gone: the promises that will not be answered, oldest first. */
    public List<Long> close() {
        List<Long> left = List.copyOf(waiting);
        waiting.clear();
        return left;
    }
}
