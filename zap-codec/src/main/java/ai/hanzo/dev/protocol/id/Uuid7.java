package ai.hanzo.dev.protocol.id;

import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Makes UUIDs of version 7 (RFC 9562, section 5.7): 48 bits of milliseconds, then randomness. Clock
 * and randomness come from the caller; safe for many threads if they are.
 */
public record Uuid7(InstantSource clock, RandomGenerator random) {

    /** A new UUID of version 7 and variant 2. */
    public UUID next() {
        long high = (clock.millis() << 16) | 0x7000L | (random.nextLong() & 0xFFFL);
        long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
