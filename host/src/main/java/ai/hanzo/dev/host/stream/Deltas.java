package ai.hanzo.dev.host.stream;

import ai.hanzo.dev.host.model.DeltaListener;
import ai.hanzo.dev.host.op.v1.Delta;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Text as it comes from models, handed to whoever follows the session at that moment and kept by
 * nobody. Safe for all threads.
 */
public final class Deltas {
    private final Map<SessionId, List<Consumer<Delta>>> followers = new ConcurrentHashMap<>();

    /** What passes on the deltas of one ask. */
    public DeltaListener of(SessionId session, Optional<TurnId> turn, ActionId ask) {
        return piece -> {
            List<Consumer<Delta>> now = followers.getOrDefault(session, List.of());
            if (now.isEmpty()) {
                return;
            }
            Delta.Builder delta =
                    Delta.newBuilder()
                            .setAction(Math.toIntExact(ask.value()))
                            .setChannel(Delta.Channel.say)
                            .setText(piece);
            turn.ifPresent(t -> delta.setTurn(Math.toIntExact(t.value())));
            Delta built = delta.build();
            now.forEach(follower -> follower.accept(built));
        };
    }

    /** Hands the deltas of {@code session} to {@code follower}, which must return at once. */
    Runnable follow(SessionId session, Consumer<Delta> follower) {
        followers.computeIfAbsent(session, _ -> new CopyOnWriteArrayList<>()).add(follower);
        return () ->
                followers.computeIfPresent(
                        session,
                        (_, list) -> {
                            list.remove(follower);
                            return list.isEmpty() ? null : list;
                        });
    }
}
