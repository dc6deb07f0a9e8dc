package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.SessionId;
import java.util.List;
import java.util.Optional;

/**
 * Some rows, and where the next page begins.
 *
 * @param next give it back for the next page; empty after the last
 */
public record Page<T>(List<T> items, Optional<SessionId> next) {
    public Page {
        items = List.copyOf(items);
    }
}
