package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.core.Core;
import ai.hanzo.dev.host.core.CoreDigest;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.Seq;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a session's core sits: opened by its first Config, or restored from the latest snapshot.
 * Owned by the session's thread.
 */
final class CoreSeat implements AutoCloseable {
    private final Cores cores;
    private final CoreDigest digest;
    private @Nullable Core core;

    CoreSeat(Cores cores, CoreDigest digest) {
        this.cores = cores;
        this.digest = digest;
    }

    /** Opens the core, unless it is open. */
    void open(Bytes config) {
        if (core == null) {
            core = cores.open(digest, config);
        }
    }

    /** Puts the core into the state of {@code snapshot}. */
    void restore(Snapshot snapshot) {
        close();
        core = cores.restore(digest, snapshot.state());
    }

    /** Feeds an event, and gives the batch that came of it. */
    Bytes step(Bytes event) {
        return seated().step(event);
    }

    /** The state after the entry at {@code through}. */
    Snapshot snapshot(Seq through) {
        return new Snapshot(
                through, Sha256.parse(digest.hex()), seated().snapshot(), Bytes.empty());
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
