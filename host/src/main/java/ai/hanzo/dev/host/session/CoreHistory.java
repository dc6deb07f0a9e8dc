package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.core.CoreDigest;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Journal;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.wire.NoteWire;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * On which cores a session has run, as the notes of its journal tell. Immutable.
 *
 * @param first the core that it began on
 * @param moves in the order of the journal
 */
public record CoreHistory(CoreDigest first, List<Move> moves) {
    private static final String TOPIC = "core";
    private static final int PAGE = 500;

    public CoreHistory {
        moves = List.copyOf(moves);
    }

    /**
     * A session at rest was given another core.
     *
     * @param at the note
     * @param since the first input that the new core has eaten; it is before the note
     */
    public record Move(Seq at, Seq since, CoreDigest from, CoreDigest to) {
        /** The note that tells of it. */
        static NewEntry note(Seq since, CoreDigest from, CoreDigest to) {
            Map<String, String> facts = new LinkedHashMap<>();
            facts.put("since", since.toString());
            facts.put("from", from.hex());
            facts.put("to", to.hex());
            Note note = new Note(TOPIC, "runs on core " + to + " from here on", facts);
            return NewEntry.ofHost(EntryKind.NOTE, Optional.empty(), NoteWire.encode(note));
        }

        /** The move that an entry tells of, if it is one. */
        public static Optional<Move> of(Entry entry) {
            if (!entry.kind().equals(EntryKind.NOTE)) {
                return Optional.empty();
            }
            Note note = NoteWire.decode(entry.payload());
            if (!note.topic().equals(TOPIC)) {
                return Optional.empty();
            }
            return Optional.of(
                    new Move(
                            entry.seq(),
                            new Seq(Long.parseLong(note.fact("since").orElse(""))),
                            new CoreDigest(note.fact("from").orElse("")),
                            new CoreDigest(note.fact("to").orElse(""))));
        }
    }

    /**
     * That of a session which is on {@code last} now.
     *
     * @param moves all of its journal
     */
    public static CoreHistory of(Sha256 last, List<Move> moves) {
        CoreDigest first = moves.isEmpty() ? new CoreDigest(last.toHex()) : moves.getFirst().from();
        return new CoreHistory(first, moves);
    }

    /** Read from the whole journal. */
    public static CoreHistory of(Journal journal, Session session) {
        List<Move> moves = new ArrayList<>();
        Seq at = new Seq(0);
        while (true) {
            List<Entry> page = journal.entries(session.org(), session.id(), at, PAGE);
            page.forEach(entry -> Move.of(entry).ifPresent(moves::add));
            if (page.size() < PAGE) {
                return of(session.core(), moves);
            }
            at = page.getLast().seq();
        }
    }

    /** As it was when the journal ended with {@code last}. */
    public CoreHistory upTo(Seq last) {
        return new CoreHistory(
                first, moves.stream().filter(move -> move.at().compareTo(last) <= 0).toList());
    }

    /** The core that ate, or would eat, the input at {@code seq}. */
    public CoreDigest eating(Seq seq) {
        return moves.stream()
                .filter(move -> move.since().compareTo(seq) <= 0)
                .reduce((_, later) -> later)
                .map(Move::to)
                .orElse(first);
    }

    /** The core at the end. */
    public CoreDigest last() {
        return moves.isEmpty() ? first : moves.getLast().to();
    }
}
