package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Chain;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.Seq;
import java.util.List;
import java.util.Optional;

/**
 * Walks a journal page by page up to a known end, and stops at the first entry that is not as it
 * was written.
 */
final class ChainCheck {
    private final Seq last;
    private Seq reached = new Seq(0);
    private Sha256 head = Chain.START;

    /** Checks the entries 1 to {@code last}. */
    ChainCheck(Seq last) {
        this.last = last;
    }

    /** The last entry that was found sound. */
    Seq reached() {
        return reached;
    }

    /** Whether the end was reached. */
    boolean isThrough() {
        return reached.equals(last);
    }

    /** Takes the entries that follow; the first fault among them. What is above the end is left. */
    Optional<Verification> next(List<Entry> entries) {
        for (Entry entry : entries) {
            if (isThrough()) {
                return Optional.empty();
            }
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
     * The verdict when there are no more entries and the session's row ends with {@code digest}.
     */
    Verification end(Sha256 digest) {
        if (!isThrough()) {
            return new Verification.Broken(
                    new Seq(reached.value() + 1), "The entry is missing at the end.");
        }
        if (!head.equals(digest)) {
            return new Verification.Broken(last, "It is not the one that the session ended with.");
        }
        return new Verification.Sound(reached.value(), head);
    }
}
