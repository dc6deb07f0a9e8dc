package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.core.Core;
import ai.hanzo.dev.host.core.CoreDigest;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.session.CoreHistory;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.wire.ActionWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * Feeds the inputs of a journal to a new core and compares what it makes of them with the actions
 * that the journal has: the core is deterministic, so they are the same. Sends nothing, writes
 * nothing. Used once, by one thread; throws CoreException when the core cannot be had or fails.
 */
final class Replay implements AutoCloseable {
    private final Cores cores;
    private final CoreHistory history;
    private final Seq consumed;
    private final Queue<Bytes> made = new ArrayDeque<>();
    private CoreDigest digest;
    private Optional<Core> core = Optional.empty();
    private Seq fed = new Seq(0);

    /**
     * On the cores that the session ran on.
     *
     * @param consumed the last input that the core ate
     */
    Replay(Cores cores, CoreHistory history, Seq consumed) {
        this.cores = cores;
        this.history = history;
        this.digest = history.first();
        this.consumed = consumed;
    }

    /** The last input that the core of a session ate and lived. */
    static Seq eaten(Session session) {
        boolean isVoid = session.state() == SessionState.FAILED && session.consumed().value() > 0;
        return isVoid ? new Seq(session.consumed().value() - 1) : session.consumed();
    }

    /** Takes the next entry; false when it is an action that the core does not ask for. */
    boolean agrees(Entry entry) {
        if (entry.kind().isForCore() && entry.seq().compareTo(consumed) <= 0) {
            feed(entry);
            fed = entry.seq();
        }
        return !entry.kind().equals(EntryKind.ACTION)
                || Optional.of(entry.payload()).equals(Optional.ofNullable(made.poll()));
    }

    /** Whether the core asked for something that the entries do not have. */
    boolean lacksAnAction() {
        return !made.isEmpty();
    }

    /** The core at the end, without a seal; empty if it has eaten nothing. */
    Optional<Snapshot> snapshot() {
        sitOn(history.last());
        return core.map(eaten ->
                new Snapshot(fed, Sha256.parse(digest.hex()), eaten.snapshot(), Bytes.empty()));
    }

    private void sitOn(CoreDigest other) {
        if (!other.equals(digest)) {
            core =
                    core.map(before -> {
                        Core next = cores.restore(other, before.snapshot());
                        before.close();
                        return next;
                    });
            digest = other;
        }
    }

    private void feed(Entry entry) {
        sitOn(history.eating(entry.seq()));
        if (core.isEmpty()) {
            core = Optional.of(cores.open(digest, entry.payload()));
            return;
        }
        Bytes batch = core.get().step(EventWire.withEntry(entry.payload(), entry.seq()));
        for (Action action : ActionWire.decodeBatch(batch)) {
            made.add(ActionWire.encode(action));
        }
    }

    @Override
    public void close() {
        core.ifPresent(Core::close);
    }
}
