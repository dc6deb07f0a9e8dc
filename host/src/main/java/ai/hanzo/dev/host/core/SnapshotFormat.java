package ai.hanzo.dev.host.core;

/** The formats of snapshots that the current core reads: 1 to {@link #CURRENT}. */
final class SnapshotFormat {
    /** What the core writes; {@code FORMAT} in {@code wasm/core/src/snapshot.rs}. */
    static final int CURRENT = 1;

    private SnapshotFormat() {}
}
