package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.core.Core;
import ai.hanzo.dev.host.core.CoreDigest;
import ai.hanzo.dev.host.core.CoreException;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.core.SnapshotSeal;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a session's core sits: opened by its first Config, or restored from the latest snapshot,
 * and moved to the current core while the session rests. Its state after each input is kept at
 * hand; a snapshot of it is due when the session rests, and when the stored one would be too far
 * behind. Owned by the session's thread.
 */
final class CoreSeat implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CoreSeat.class);

    private final Cores cores;
    private CoreDigest digest;
    private final SessionId session;
    private final SnapshotSeal seal;
    private @Nullable Core core;

    /** The state that the core is in after the entry at {@link #through}; null after a step. */
    private @Nullable Bytes state;

    private Seq through = new Seq(0);

    /** Inputs eaten since the snapshot that is stored. */
    private int unsaved;

    /**
     * @param digest of the core that the session runs on
     */
    CoreSeat(Cores cores, CoreDigest digest, SessionId session, SnapshotSeal seal) {
        this.cores = cores;
        this.digest = digest;
        this.session = session;
        this.seal = seal;
    }

    /** The core that the session runs on. */
    CoreDigest digest() {
        return digest;
    }

    /** The next input is for the core {@code other}: what the one before knew, it knows. */
    void sitOn(CoreDigest other) {
        if (other.equals(digest)) {
            return;
        }
        if (core != null) {
            Core next = cores.restore(other, core.snapshot());
            core.close();
            core = next;
        }
        digest = other;
        state = null;
    }

    /**
     * Moves a session that rests to the current core.
     *
     * @return the core that it was on; empty if it is there already, or the current one cannot take
     *     its state, and the session stays where it is
     */
    Optional<CoreDigest> moveToCurrent() {
        CoreDigest before = digest;
        if (before.equals(cores.current())) {
            return Optional.empty();
        }
        try {
            sitOn(cores.current());
            return Optional.of(before);
        } catch (CoreException e) {
            LOG.atWarn()
                    .addKeyValue("session", session.value())
                    .addKeyValue("reason", e.getMessage())
                    .log("the session stays on its core");
            return Optional.empty();
        }
    }

    /** Opens the core, unless it is open. */
    void open(Bytes config) {
        if (core == null) {
            core = cores.open(digest, config);
        }
    }

    /**
     * Puts the core into the state of {@code snapshot}.
     *
     * @throws CoreException {@code FORGED} if it was not sealed under this organisation's key
     */
    void restore(Snapshot snapshot) {
        close();
        digest = new CoreDigest(snapshot.core().toHex());
        seal.check(place(snapshot.through()), snapshot.state(), snapshot.mac());
        core = cores.restore(digest, snapshot.state());
        state = snapshot.state();
        through = snapshot.through();
        unsaved = 0;
    }

    /**
     * Feeds an event, and gives the batch that came of it. A core that trapped or was stopped is
     * brought back as it was before the event, which is tried once more: a deadline is passed by a
     * machine that stands still, too.
     */
    Bytes step(Bytes event) {
        Bytes before = state;
        state = null;
        try {
            return seated().step(event);
        } catch (CoreException e) {
            if (before == null || !isGone(e.code())) {
                throw e;
            }
            LOG.atWarn()
                    .addKeyValue("session", session.value())
                    .addKeyValue("reason", e.getMessage())
                    .log("core restored; the event is tried once more");
            close();
            core = cores.restore(digest, before);
            return seated().step(event);
        }
    }

    private static boolean isGone(CoreException.Code code) {
        return code == CoreException.Code.DEADLINE
                || code == CoreException.Code.PANIC
                || code == CoreException.Code.FULL;
    }

    /** The core has eaten {@code entry}: this is what it comes back to. */
    void eaten(Seq entry) {
        state = seated().snapshot();
        through = entry;
        unsaved++;
    }

    /**
     * The snapshot to be stored, sealed; the caller stores it.
     *
     * @param rests whether the session does, so that whoever comes next need not eat anything again
     * @return empty if the stored one is good enough
     */
    Optional<Snapshot> due(boolean rests) {
        if (state == null || unsaved == 0 || !(rests || unsaved > Snapshot.MOST_BEHIND)) {
            return Optional.empty();
        }
        unsaved = 0;
        Bytes mac = seal.seal(place(through), state);
        return Optional.of(new Snapshot(through, Sha256.parse(digest.hex()), state, mac));
    }

    private SnapshotSeal.Place place(Seq through) {
        return new SnapshotSeal.Place(session.value(), through.value(), digest);
    }

    private Core seated() {
        return Optional.ofNullable(core)
                .orElseThrow(() -> new IllegalStateException("the core has no Config yet"));
    }

    @Override
    public void close() {
        if (core != null) {
            core.close();
            core = null;
        }
    }
}
