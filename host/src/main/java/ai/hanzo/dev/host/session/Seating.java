package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.core.CoreException;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Journal;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a session's core to where its rows are: by the latest snapshot and what was eaten since,
 * or by all of the journal where there is none that can be trusted. The core is deterministic, so
 * both end in the same state, and no id is ever given twice. Runs on the session's thread.
 */
final class Seating {
    private static final Logger LOG = LoggerFactory.getLogger(Seating.class);
    private static final int PAGE = 200;
    private static final Seq NOTHING = new Seq(0);

    private final Journal journal;
    private final Lease lease;
    private final CoreSeat core;
    private final Supplier<CoreHistory> history;

    /**
     * @param history read only when something has to be eaten again
     */
    Seating(Journal journal, Lease lease, CoreSeat core, Supplier<CoreHistory> history) {
        this.journal = journal;
        this.lease = lease;
        this.core = core;
        this.history = history;
    }

    /** Ends with the core in the state after the entry at {@code consumed}. */
    void seat(Seq consumed) {
        Optional<Snapshot> snapshot = journal.snapshot(lease.org(), lease.session());
        boolean isSeated = snapshot.isPresent() && restore(snapshot.get(), consumed);
        Seq after = isSeated ? snapshot.get().through() : NOTHING;
        if (after.compareTo(consumed) < 0) {
            replay(after, consumed);
        }
    }

    private boolean restore(Snapshot snapshot, Seq consumed) {
        if (snapshot.through().compareTo(consumed) > 0) {
            refused("it is of an entry that was not consumed");
            return false;
        }
        try {
            core.restore(snapshot);
            return true;
        } catch (CoreException e) {
            if (e.code() != CoreException.Code.FORGED) {
                throw e;
            }
            refused(String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void refused(String why) {
        LOG.atWarn()
                .addKeyValue("session", lease.session().value())
                .addKeyValue("reason", why)
                .log("snapshot refused; the core eats the journal again");
    }

    private void replay(Seq after, Seq consumed) {
        CoreHistory cores = history.get();
        Seq last = after;
        while (last.compareTo(consumed) < 0) {
            List<Entry> page = journal.entries(lease.org(), lease.session(), last, PAGE);
            if (page.isEmpty()) {
                return;
            }
            for (Entry entry : page) {
                last = entry.seq();
                if (last.compareTo(consumed) <= 0 && entry.kind().isForCore()) {
                    core.sitOn(cores.eating(entry.seq()));
                    eat(entry);
                }
            }
        }
    }

    /** What it gives was committed when it was eaten first. */
    private void eat(Entry entry) {
        if (entry.kind().equals(EntryKind.CONFIG) && entry.seq().value() == 1) {
            core.open(entry.payload());
        } else {
            core.step(EventWire.withEntry(entry.payload(), entry.seq()));
        }
        core.eaten(entry.seq());
    }
}
