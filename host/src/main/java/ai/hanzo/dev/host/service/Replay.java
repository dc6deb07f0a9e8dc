package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.core.Core;
import ai.hanzo.dev.host.core.CoreDigest;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Journal;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.wire.ActionWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * Feeds the inputs of a journal to a new core and compares what it makes of them with the actions
 * that the journal has: the core is deterministic, so they are the same. Sends nothing, writes
 * nothing. Used once, by one thread; throws CoreException when the core cannot be had or fails.
 */
final class Replay {
    private static final int PAGE = 500;

    private final Journal journal;
    private final Cores cores;
    private final Session session;
    private final Queue<Bytes> made = new ArrayDeque<>();

    Replay(Journal journal, Cores cores, Session session) {
        this.journal = journal;
        this.cores = cores;
        this.session = session;
    }

    /**
     * The core as it was after the last of the entries; or the first that it does not agree with.
     */
    sealed interface Replayed {
        record Same(Snapshot snapshot) implements Replayed {}

        record Differs(Seq seq) implements Replayed {}
    }

    /** Replays the entries 1 to {@code last}, at which nothing is under way. */
    Replayed through(Seq last) {
        CoreDigest digest = new CoreDigest(session.core().toHex());
        Entry config = journal.entry(session.org(), session.id(), new Seq(1)).orElseThrow();
        try (Core core = cores.open(digest, config.payload())) {
            Seq at = config.seq();
            Seq fed = at;
            while (at.compareTo(last) < 0) {
                List<Entry> page = journal.entries(session.org(), session.id(), at, PAGE);
                for (Entry entry : page) {
                    if (entry.seq().compareTo(last) > 0) {
                        break;
                    }
                    at = entry.seq();
                    if (entry.kind().isForCore()) {
                        feed(core, entry);
                        fed = at;
                    }
                    if (entry.kind().equals(EntryKind.ACTION)
                            && !Optional.of(entry.payload())
                                    .equals(Optional.ofNullable(made.poll()))) {
                        return new Replayed.Differs(at);
                    }
                }
                if (page.size() < PAGE) {
                    break;
                }
            }
            return made.isEmpty()
                    ? new Replayed.Same(
                            new Snapshot(
                                    fed,
                                    Sha256.parse(digest.hex()),
                                    core.snapshot(),
                                    Bytes.empty()))
                    : new Replayed.Differs(last);
        }
    }

    private void feed(Core core, Entry entry) {
        Bytes batch = core.step(EventWire.withEntry(entry.payload(), entry.seq()));
        for (Action action : ActionWire.decodeBatch(batch)) {
            made.add(ActionWire.encode(action));
        }
    }
}
