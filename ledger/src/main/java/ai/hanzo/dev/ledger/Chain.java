package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;

/**
 * The digest that chains the entries of a journal. Pure functions.
 *
 * <p>SHA-256 over, in this order, each text as u32 length and UTF-8, each number big-endian:
 *
 * <pre>
 *   "hanzo.entry.1"
 *   32 bytes   digest of the entry before, zeros for the first
 *   text       org            text  session        u64  seq
 *   text       kind           u64   turn or 0      u64  action or 0
 *   u32        formatVersion  32 bytes  SHA-256 of the payload
 *   u64        createdAt, microseconds since 1970
 *   text       source         text  idempotency key, or ""
 * </pre>
 *
 * The payload enters by its digest, so that the chain can still be checked after a payload was
 * purged.
 */
public final class Chain {
    private static final String DOMAIN = "hanzo.entry.1";

    /** Stands before the first entry. */
    public static final Sha256 START = new Sha256(Bytes.wrap(new byte[Sha256.LENGTH_BYTES]));

    private Chain() {}

    /** The digest that {@code entry} must have; its own digest is not looked at. */
    public static Sha256 digestOf(Entry entry) {
        return digestOf(entry, Sha256.of(entry.payload()));
    }

    /** The same for an entry of which only the digest of the payload is left. */
    public static Sha256 digestOf(Entry entry, Sha256 payload) {
        MessageDigest digest = Sha256.newDigest();
        text(digest, DOMAIN);
        digest.update(entry.prevDigest().bytes().toBuffer());
        text(digest, entry.org().value());
        text(digest, entry.session().value());
        number(digest, entry.seq().value());
        text(digest, entry.kind().value());
        number(digest, entry.turn().map(turn -> turn.value()).orElse(0L));
        number(digest, entry.action().map(action -> action.value()).orElse(0L));
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(entry.formatVersion()).flip());
        digest.update(payload.bytes().toBuffer());
        number(digest, micros(entry.createdAt()));
        text(digest, entry.source());
        text(digest, entry.idempotencyKey().orElse(""));
        return new Sha256(Bytes.wrap(digest.digest()));
    }

    /** Microseconds since 1970, which is what the database keeps of a time. */
    public static long micros(Instant time) {
        return Math.addExact(
                Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1_000);
    }

    private static void text(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }

    private static void number(MessageDigest digest, long number) {
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
    }
}
