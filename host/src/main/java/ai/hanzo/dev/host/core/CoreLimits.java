package ai.hanzo.dev.host.core;

import java.time.Duration;

/**
 * What one session's core may use. Not part of the session's Config: these stop a core that is
 * broken, the Config's limits end a turn in good order.
 *
 * @param deadline of one call; a call that runs longer is stopped and its session is over
 * @param memoryBytes of one session, rounded down to pages of 64 KiB
 */
public record CoreLimits(Duration deadline, int memoryBytes) {
    /** The size of a WebAssembly page in bytes (WebAssembly core specification 2.0, 4.2.8). */
    static final int PAGE_BYTES = 65_536;

    /** Five seconds and 64 MiB. */
    public static final CoreLimits DEFAULTS = new CoreLimits(Duration.ofSeconds(5), 64 << 20);

    public CoreLimits {
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("the deadline must be positive: " + deadline);
        }
        if (memoryBytes < PAGE_BYTES) {
            throw new IllegalArgumentException("a core needs a page of memory: " + memoryBytes);
        }
    }

    int pages() {
        return memoryBytes / PAGE_BYTES;
    }
}
