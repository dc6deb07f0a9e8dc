package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.model.DeltaListener;
import ai.hanzo.dev.host.session.OpenActions.Open;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Timers;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.time.Instant;
import java.util.Optional;

/** Passes a model's deltas on, and writes down that an ask has to wait. Safe for all threads. */
record AskNews(SessionParts parts, Lease lease) implements Asks.Listener {
    @Override
    public DeltaListener deltas(Open ask) {
        return parts.deltas().of(lease.session(), ask.turn(), ask.action().id());
    }

    @Override
    public void ended(Open ask) {
        parts.deltas().ended(lease.session(), ask.action().id());
    }

    @Override
    public void parked(Instant until, String message) {
        parts.store()
                .timers()
                .schedule(
                        lease.org(),
                        lease.session(),
                        new Timers.Timer("quota", until, EventWire.encode(new Event.Timer())));
        poke();
    }

    @Override
    public void keyMissing(String message) {
        poke();
    }

    /** A state changes by a step, and a step needs an input. */
    private void poke() {
        parts.store()
                .ledger()
                .append(
                        lease.org(),
                        lease.session(),
                        NewEntry.ofHost(
                                EntryKind.TIMER,
                                Optional.empty(),
                                EventWire.encode(new Event.Timer())));
    }
}
