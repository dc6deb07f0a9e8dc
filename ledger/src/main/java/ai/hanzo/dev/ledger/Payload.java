package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.Optional;

/**
 * Makes the payload of an entry once its place is known: a message may carry its own sequence, and
 * a turn its number. Called at most once per attempt, while the session's row is locked, so it must
 * be quick and without side effects.
 */
@FunctionalInterface
public interface Payload {

    /** The bytes of the entry at {@code place}. */
    Bytes at(Place place);

    /** The same bytes wherever the entry lands. */
    static Payload of(Bytes bytes) {
        return _ -> bytes;
    }

    /**
     * Where an entry lands.
     *
     * @param turn of an entry that belongs to a run; for a new turn the number just given to it
     */
    record Place(Seq seq, Optional<TurnId> turn) {}
}
