package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.protocol.id.Uuid7;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** Time as the database keeps it, and ids. Safe for all threads if its parts are. */
record Ticks(InstantSource clock, Uuid7 ids) {

    /** Now, to the microsecond. */
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
