package ai.hanzo.dev.host.stream;

import ai.hanzo.dev.host.model.DeltaListener;
import ai.hanzo.dev.host.op.v1.Delta;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Text as it comes from models, handed to whoever follows the session. What has come of an ask that
 * is under way is kept until it has ended, for those who join late. Safe for all threads.
 */
public final class Deltas {
    /** An answer of more characters is not kept for late comers: 1 MiB of them. */
    private static final int MOST_KEPT = 1 << 20;

    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by lock.
    private final Map<SessionId, Live> sessions = new HashMap<>();

    /** A session that somebody follows, or in which an ask is under way. */
    private static final class Live {
        private final List<Consumer<Delta>> followers = new ArrayList<>();
        private final Map<Long, Said> said = new LinkedHashMap<>();
    }

    /** What has come of one ask; its text is empty once it is too long to keep. */
    private static final class Said {
        private final Optional<TurnId> turn;
        private final StringBuilder text = new StringBuilder();
        private int length;

        Said(Optional<TurnId> turn) {
            this.turn = turn;
        }
    }

    /** What passes on the deltas of one ask. */
    public DeltaListener of(SessionId session, Optional<TurnId> turn, ActionId ask) {
        return piece -> {
            lock.lock();
            try {
                Live live = sessions.computeIfAbsent(session, _ -> new Live());
                Said said = live.said.computeIfAbsent(ask.value(), _ -> new Said(turn));
                Delta delta = delta(said.turn, ask.value(), said.length, piece);
                said.length += piece.length();
                if (said.length <= MOST_KEPT) {
                    said.text.append(piece);
                } else {
                    said.text.setLength(0);
                }
                live.followers.forEach(follower -> follower.accept(delta));
            } finally {
                lock.unlock();
            }
        };
    }

    /** The ask has ended: what came of it is in the journal, or will not be. */
    public void ended(SessionId session, ActionId ask) {
        lock.lock();
        try {
            Live live = sessions.get(session);
            if (live != null) {
                live.said.remove(ask.value());
                forget(session, live);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Hands the deltas of {@code session} to {@code follower}, which must return at once. */
    Runnable follow(SessionId session, Consumer<Delta> follower) {
        lock.lock();
        try {
            Live live = sessions.computeIfAbsent(session, _ -> new Live());
            live.followers.add(follower);
            live.said.forEach((ask, said) -> {
                if (!said.text.isEmpty()) {
                    follower.accept(delta(said.turn, ask, 0, said.text.toString()));
                }
            });
        } finally {
            lock.unlock();
        }
        return () -> unfollow(session, follower);
    }

    private void unfollow(SessionId session, Consumer<Delta> follower) {
        lock.lock();
        try {
            Live live = sessions.get(session);
            if (live != null) {
                live.followers.remove(follower);
                forget(session, live);
            }
        } finally {
            lock.unlock();
        }
    }

    private void forget(SessionId session, Live live) {
        if (live.followers.isEmpty() && live.said.isEmpty()) {
            sessions.remove(session);
        }
    }

    private static Delta delta(Optional<TurnId> turn, long ask, int offset, String piece) {
        Delta.Builder delta =
                Delta.newBuilder()
                        .setAction(Math.toIntExact(ask))
                        .setChannel(Delta.Channel.say)
                        .setText(piece)
                        .setOffset(offset);
        turn.ifPresent(t -> delta.setTurn(Math.toIntExact(t.value())));
        return delta.build();
    }
}
