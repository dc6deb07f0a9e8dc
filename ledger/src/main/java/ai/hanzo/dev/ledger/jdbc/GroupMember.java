package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Ending;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.NewAction;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Payload;
import ai.hanzo.dev.ledger.Sealed;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.ledger.StepCommit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one session writes, of the kinds that go with those of others: an outcome, a step, or the
 * two together.
 *
 * @param write with the entries: the outcome's, then one per action, then the notes
 * @param actionEntries one per action, in order
 */
record GroupMember(
        SessionWrite write,
        Optional<Ending> ending,
        List<NewAction> actions,
        List<Entry> actionEntries,
        Optional<Snapshot> snapshot) {

    /** An outcome alone. */
    static GroupMember of(SessionWrite write, Ending ending) {
        return new GroupMember(write, Optional.of(ending), List.of(), List.of(), Optional.empty());
    }

    /** A step, after the outcome that it eats if that is not in the journal yet. */
    static GroupMember of(SessionWrite write, Optional<Ending> ending, StepCommit step) {
        return new GroupMember(write, ending, step.actions(), enter(write, step), step.snapshot());
    }

    /** Adds the entries of a step and moves the session; gives those of the actions. */
    static List<Entry> enter(SessionWrite write, StepCommit step) {
        List<Entry> entries = new ArrayList<>();
        for (NewAction action : step.actions()) {
            NewEntry entry =
                    new NewEntry(
                            EntryKind.ACTION,
                            action.turn(),
                            NewEntry.CORE,
                            Optional.empty(),
                            Payload.of(action.payload()));
            entries.add(write.add(entry, Optional.of(action.id())));
        }
        for (NewEntry note : step.notes()) {
            write.add(note, Optional.empty());
        }
        write.consume(step.consumed());
        write.use(step.used());
        write.moveTo(step.state());
        return entries;
    }

    /** What it is long by. */
    long bytes() {
        long entries =
                write.added().stream().mapToLong(added -> added.entry().payload().length()).sum();
        return entries + snapshot.map(kept -> kept.state().length()).orElse(0);
    }

    /** Whether it brings nothing that has a table of its own. */
    static boolean takes(Ending ending) {
        return takes(ending.entry());
    }

    private static boolean takes(NewEntry entry) {
        return entry.key().isEmpty() && entry.sealed().equals(Sealed.NONE);
    }

    /** Whether it changes nothing but its session, and adds rows of the ordinary kinds only. */
    static boolean takes(StepCommit step) {
        return step.changes().isEmpty()
                && step.runs().isEmpty()
                && step.core().isEmpty()
                && step.keep() == StepCommit.Keep.LATEST_ONLY
                && step.notes().stream().allMatch(GroupMember::takes)
                && step.actions().stream().allMatch(action -> action.approval().isEmpty());
    }
}
