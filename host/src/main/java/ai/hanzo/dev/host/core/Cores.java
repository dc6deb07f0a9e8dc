package ai.hanzo.dev.host.core;

import ai.hanzo.dev.protocol.Bytes;

/**
 * The cores that this host can run, by the digest of their module. A session pins the digest it was
 * opened with.
 *
 * <p>Threads: safe for all. Failures are {@link CoreException}; a digest that is not here is {@link
 * CoreException.Code#DIGEST}.
 */
public interface Cores extends AutoCloseable {

    /** The module that new sessions are opened on. */
    CoreDigest current();

    /** Whether sessions of this core can be run here. */
    boolean holds(CoreDigest digest);

    /**
     * Opens a session.
     *
     * @param config a ZAP message with root {@code Config}; it is entry 1 of the session's journal
     */
    Core open(CoreDigest digest, Bytes config);

    /** Brings a session back from the bytes of {@link Core#snapshot}. */
    Core restore(CoreDigest digest, Bytes snapshot);

    /** Stops the threads that run cores. Sessions that are still open answer {@code HANDLE}. */
    @Override
    void close();
}
