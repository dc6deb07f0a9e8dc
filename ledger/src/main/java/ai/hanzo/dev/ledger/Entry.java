package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.time.Instant;
import java.util.Optional;

/**
 * One committed entry of a session's journal. Entries are never changed.
 *
 * @param seq 1, 2, 3 … without a gap within its session
 * @param turn the run that it belongs to, if it belongs to one
 * @param action the action that it asks for (kind {@code action}) or that it is the outcome of
 * @param formatVersion of {@code payload}
 * @param payload a ZAP message: an Event for an input, an Action for an output
 * @param createdAt to the microsecond
 * @param source who brought it: {@code core}, {@code host}, or a surface's name for its caller
 * @param idempotencyKey unique within (session, source)
 * @param prevDigest of the entry before; all zeros for the first
 * @param digest SHA-256 over {@code prevDigest} and every field of this entry, see {@link Chain}
 */
public record Entry(
        OrgId org,
        SessionId session,
        Seq seq,
        EntryKind kind,
        Optional<TurnId> turn,
        Optional<ActionId> action,
        int formatVersion,
        Bytes payload,
        Instant createdAt,
        String source,
        Optional<String> idempotencyKey,
        Sha256 prevDigest,
        Sha256 digest) {

    /** The version of the payloads that this release writes. */
    public static final int FORMAT_VERSION = 1;
}
