package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.core.CoreDigest;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.NewAction;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.ledger.StepCommit;
import ai.hanzo.dev.ledger.StepCommit.ActionChange;
import ai.hanzo.dev.ledger.StepCommit.Keep;
import ai.hanzo.dev.ledger.StepCommit.RunChange;
import ai.hanzo.dev.ledger.StepCommit.StateChange;
import ai.hanzo.dev.ledger.Usage;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A step while it is put together: what will be one transaction. Owned by the session's thread. */
final class Step {
    private final Seq consumed;
    private final List<NewAction> actions = new ArrayList<>();
    private final List<ActionChange> changes = new ArrayList<>();
    private final List<NewEntry> notes = new ArrayList<>();
    private final List<RunChange> runs = new ArrayList<>();
    private final List<ActionId> sent = new ArrayList<>();
    private final List<ActionId> stopped = new ArrayList<>();
    private final Map<ActionId, String> refused = new LinkedHashMap<>();
    private Optional<Snapshot> snapshot = Optional.empty();
    private Keep keep = Keep.LATEST_ONLY;
    private Usage used = Usage.NONE;
    private Optional<CoreDigest> core = Optional.empty();

    Step(Seq consumed) {
        this.consumed = consumed;
    }

    void action(NewAction action) {
        actions.add(action);
        if (action.status() == ActionStatus.DISPATCHED) {
            sent.add(action.id());
        }
    }

    void dispatch(ActionId earlier, Optional<String> marker) {
        changes.add(new ActionChange(earlier, ActionStatus.DISPATCHED, marker));
        sent.add(earlier);
    }

    /** Policy, or a person, said no. */
    void refuse(ActionId id, String why) {
        refused.put(id, why);
    }

    void cancel(ActionId earlier) {
        changes.add(new ActionChange(earlier, ActionStatus.CANCELLED, Optional.empty()));
        stopped.add(earlier);
    }

    void note(NewEntry note) {
        notes.add(note);
    }

    void run(RunChange change) {
        runs.add(change);
    }

    void snapshot(Snapshot of) {
        snapshot = Optional.of(of);
    }

    void keep() {
        keep = Keep.FOR_GOOD;
    }

    /** Whether the core's state is part of what happened: it is kept, or another core made it. */
    boolean needsState() {
        return keep == Keep.FOR_GOOD || core.isPresent();
    }

    /** The session was given another core, which has eaten this step's input first. */
    void movedTo(CoreDigest to, CoreDigest from) {
        core = Optional.of(to);
        note(CoreHistory.Move.note(consumed, from, to));
    }

    void used(Usage tokens) {
        used = tokens;
    }

    /** What goes out once this is committed. */
    List<ActionId> sent() {
        return sent;
    }

    /** What was refused, with the reason: the core is told once this is committed. */
    Map<ActionId, String> refused() {
        return Collections.unmodifiableMap(refused);
    }

    /** What was given up: stopped once this is committed. */
    List<ActionId> stopped() {
        return stopped;
    }

    StepCommit commit(StateChange state) {
        StepCommit commit =
                new StepCommit(
                        consumed, actions, changes, notes, snapshot, keep, runs, state, used);
        return core.map(moved -> commit.onCore(Sha256.parse(moved.hex()))).orElse(commit);
    }
}
