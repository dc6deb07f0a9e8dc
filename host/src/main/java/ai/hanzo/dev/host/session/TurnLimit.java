package ai.hanzo.dev.host.session;

import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Timers;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.wire.EventWire;
import ai.hanzo.dev.protocol.wire.NoteWire;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * How long a turn of this session may take, from when it is the current one, waiting for people
 * included: then it is cancelled. The timer is a row of the database; it goes on without a host.
 * Owned by the session's thread.
 */
final class TurnLimit {
    private final SessionScope scope;
    private final Timers timers;
    private final InstantSource clock;
    private Optional<TurnId> current = Optional.empty();

    TurnLimit(SessionScope scope, Timers timers, InstantSource clock) {
        this.scope = scope;
        this.timers = timers;
        this.clock = clock;
    }

    /** The turn that is under way from here on; its time begins, unless it had begun before. */
    void follow(Optional<TurnId> turn) {
        int seconds = scope.setup().turnSeconds();
        if (seconds == 0 || turn.equals(current)) {
            return;
        }
        current.ifPresent(over -> timers.unlimit(scope.lease().org(), scope.id(), over));
        turn.ifPresent(begun ->
                timers.limit(
                        scope.lease().org(),
                        scope.id(),
                        begun,
                        clock.instant().plusSeconds(seconds),
                        EventWire.encode(new Event.Cancel(begun))));
        current = turn;
    }

    /** What is to be said of a cancel that nobody asked for. */
    Optional<NewEntry> note(Entry input) {
        boolean isMine =
                input.kind().equals(EntryKind.CANCEL) && input.source().equals(NewEntry.HOST);
        if (!isMine || !input.turn().equals(current)) {
            return Optional.empty();
        }
        Note note =
                new Note(
                        "limit",
                        "the turn took longer than limits.turnSeconds, "
                                + scope.setup().turnSeconds()
                                + " s, and was cancelled",
                        Map.of());
        return Optional.of(NewEntry.ofHost(EntryKind.NOTE, input.turn(), NoteWire.encode(note)));
    }
}
