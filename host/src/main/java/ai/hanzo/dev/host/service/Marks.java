package ai.hanzo.dev.host.service;

import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Journal;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.wire.NoteWire;
import ai.hanzo.dev.workspace.SnapshotId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The places of a session's journal at which its workspace was recorded, in order. Immutable. */
final class Marks {
    /** Topics of the notes that carry a snapshot. */
    static final String CHECKPOINT = "checkpoint";

    static final String UNDO = "undo";
    private static final int PAGE = 1000;

    private final List<Mark> marks;

    private Marks(List<Mark> marks) {
        this.marks = List.copyOf(marks);
    }

    /**
     * One of them.
     *
     * @param beforeTurn whether a turn began there
     * @param afterOthers whether what changed since the mark before was not the session's doing
     * @param undoneTo of an undo: the mark that it went back to
     */
    record Mark(
            Seq seq,
            SnapshotId snapshot,
            boolean beforeTurn,
            boolean afterOthers,
            Optional<Seq> undoneTo) {}

    /** Reads them out of the journal. */
    static Marks of(Journal journal, Session session) {
        List<Mark> found = new ArrayList<>();
        Seq after = new Seq(0);
        while (true) {
            List<Entry> page = journal.entries(session.org(), session.id(), after, PAGE);
            for (Entry entry : page) {
                after = entry.seq();
                if (entry.kind().equals(EntryKind.NOTE)) {
                    mark(entry.seq(), NoteWire.decode(entry.payload())).ifPresent(found::add);
                }
            }
            if (page.size() < PAGE) {
                return new Marks(found);
            }
        }
    }

    private static Optional<Mark> mark(Seq seq, Note note) {
        if (!note.topic().equals(CHECKPOINT) && !note.topic().equals(UNDO)) {
            return Optional.empty();
        }
        String kind = note.fact("kind").orElse("");
        boolean beforeTurn = kind.equals("before_turn");
        return note.fact("snapshot")
                .map(id ->
                        new Mark(
                                seq,
                                SnapshotId.parse(id),
                                beforeTurn,
                                beforeTurn || kind.equals("suspended") || kind.equals("resumed"),
                                note.fact("to").map(Long::parseLong).map(Seq::new)));
    }

    Optional<Mark> first() {
        return marks.stream().findFirst();
    }

    Optional<Mark> last() {
        return marks.isEmpty() ? Optional.empty() : Optional.of(marks.getLast());
    }

    /** That mark and all after it. */
    List<Mark> from(Mark first) {
        return marks.subList(marks.indexOf(first), marks.size());
    }

    /** The last at or before {@code seq}; before the first of all, the first. */
    Optional<Mark> at(Seq seq) {
        return marks.stream()
                .filter(mark -> mark.seq().compareTo(seq) <= 0)
                .reduce((_, later) -> later)
                .or(this::first);
    }

    /** Before the newest turn that was not undone yet. */
    Optional<Mark> beforeNewestTurn() {
        Optional<Seq> undone = last().flatMap(Mark::undoneTo);
        return marks.stream()
                .filter(Mark::beforeTurn)
                .filter(mark -> undone.isEmpty() || mark.seq().compareTo(undone.get()) < 0)
                .reduce((_, later) -> later);
    }
}
