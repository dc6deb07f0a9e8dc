package ai.hanzo.dev.host.core;

import ai.hanzo.dev.protocol.Bytes;

/**
 * One session of the reasoning core: events in, action lists out, the state as bytes whenever it is
 * asked for.
 *
 * <p>Deterministic: the same Config and the same events give the same actions and the same
 * snapshots, byte for byte, in every implementation. A step that throws {@link
 * CoreException.Code#MALFORMED} has changed nothing.
 *
 * <p>Threads: any thread may call, one at a time. A call that finds another inside throws {@link
 * CoreException.Code#BUSY} at once. A call waits for the core on a platform thread of the {@link
 * Cores} that opened it, so a virtual thread that calls does not hold its carrier.
 *
 * <p>Failures are {@link CoreException}. After {@code PANIC} or {@code DEADLINE} the session is
 * over: every later call answers {@code POISON} or {@code HANDLE}, and the caller goes on with
 * {@link Cores#restore} from the last snapshot.
 */
public interface Core extends AutoCloseable {

    /** The module that this session runs on. */
    CoreDigest digest();

    /**
     * Feeds one event and returns what the core wants done.
     *
     * @param event a ZAP message with root {@code Event}
     * @return a ZAP message with root {@code Actions}; its list may be empty
     */
    Bytes step(Bytes event);

    /** The whole state, for {@link Cores#restore}. Changes nothing. */
    Bytes snapshot();

    /** Gives the session's memory back. May be called twice; every later call is {@code HANDLE}. */
    @Override
    void close();
}
