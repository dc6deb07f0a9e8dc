package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.secret.Vault;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Journal;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.wire.ConfigWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import ai.hanzo.dev.protocol.wire.NoteWire;
import java.util.Optional;

/**
 * What a session's loop looks up in its journal, with the bodies put back. Safe for all threads.
 */
record JournalReads(Journal journal, Lease lease, Vault vault) {
    private static final Seq FIRST = new Seq(1);

    Config config() {
        return ConfigWire.decode(
                entry(FIRST)
                        .orElseThrow(() -> new IllegalStateException("a journal without a Config"))
                        .payload());
    }

    /** What the session was started with; its script is still sealed. */
    SessionSetup setup(Session row) {
        return entry(row.setup())
                .map(entry -> SessionSetup.of(NoteWire.decode(entry.payload())))
                .orElseThrow(() ->
                        new IllegalStateException(
                                "the journal of "
                                        + lease.session()
                                        + " does not say where it works"));
    }

    /** The event of an input entry, for the transcript. */
    Event event(Seq seq) {
        Entry entry =
                entry(seq)
                        .orElseThrow(() ->
                                new IllegalStateException("no entry " + seq + " in the journal"));
        if (entry.kind().equals(EntryKind.CONFIG) && seq.equals(FIRST)) {
            return new Event.Configure(ConfigWire.decode(entry.payload()));
        }
        return vault.open(EventWire.decode(entry.payload()));
    }

    private Optional<Entry> entry(Seq seq) {
        return journal.entry(lease.org(), lease.session(), seq);
    }
}
