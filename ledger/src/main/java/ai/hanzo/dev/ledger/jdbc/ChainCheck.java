package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Chain;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.Seq;
import java.util.List;
import java.util.Optional;

/** Walks a journal page by page and stops at the first entry that is not as it was written. */
final class ChainCheck {
    private Seq reached = new Seq(0);
    private Sha256 head = Chain.START;

    /** The last entry that was found sound. */
    Seq reached() {
        return reached;
    }

    /** Takes the entries that follow; the first fault among them. */
    Optional<Verification> next(List<Entry> entries) {
        for (Entry entry : entries) {
            Seq expected = new Seq(reached.value() + 1);
            if (!entry.seq().equals(expected)) {
                return Optional.of(new Verification.Broken(expected, "The entry is missing."));
            }
            if (!entry.prevDigest().equals(head)) {
                return Optional.of(
                        new Verification.Broken(
                                entry.seq(), "It does not follow the entry before it."));
            }
            if (!Chain.digestOf(entry).equals(entry.digest())) {
                return Optional.of(
                        new Verification.Broken(
                                entry.seq(), "Its content is not what its digest says."));
            }
            reached = entry.seq();
            head = entry.digest();
        }
        return Optional.empty();
    }

    /**
     * The verdict when there are no more entries and the session's row counts up to {@code last}.
     */
    Verification end(Seq last) {
        if (last.compareTo(reached) > 0) {
            return new Verification.Broken(
                    new Seq(reached.value() + 1), "The entry is missing at the end.");
        }
        return new Verification.Sound(reached.value(), head);
    }
}
