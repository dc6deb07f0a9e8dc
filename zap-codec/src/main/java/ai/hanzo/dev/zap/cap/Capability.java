package ai.hanzo.dev.zap.cap;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.CodecException.Code;
import ai.hanzo.dev.zap.EntryCursor;
import ai.hanzo.dev.zap.ZapReader;
import ai.hanzo.dev.zap.ZapReader.Mode;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * A capability as it travels: a message of version 1 with one object and its caveats. Immutable.
 *
 * <pre>
 * kind u32 @0 · target 32 bytes @4 · holder 32 @36 · issuer 32 @68 · permissions u64 @100
 * parent 32 @108 · issuedAt u64 @140 · expiresAt u64 @148 · caveats list @156
 * signature 3408 bytes @164: the scheme's own, zeros, and in the last byte the scheme
 * </pre>
 *
 * <p>Target, holder and issuer are SHA-256 digests; times are seconds since 1970, an expiry of 0 is
 * never. What is signed is the first 164 bytes of the object and then each caveat as {@code kind
 * u32, length u32, value}. Layout and signed bytes are those of the public zap-proto runtime;
 * unlike that one, this reader takes no signature that is not padded with zeros (else one
 * capability would have many ids, and revoking one would not revoke the others), no bytes after the
 * message, and no caveat that it does not know. Caveats are read in one pass.
 */
public final class Capability {
    static final int SIGNED_BYTES = 164;
    static final int SIGNATURE_BYTES = 3408;
    static final int OBJECT_BYTES = SIGNED_BYTES + SIGNATURE_BYTES;

    /** Ed25519 (RFC 8032): the only scheme that is taken here. */
    static final int ED25519 = 2;

    static final int ED25519_BYTES = 64;

    /** The permission to attenuate: bit 32. */
    public static final long DELEGATE = 1L << 32;

    private final Bytes message;
    private final ZapReader reader;
    private final long root;
    private final List<Caveat> caveats;
    private final Bytes signed;
    private final Sha256 id;

    private Capability(Bytes message, ZapReader reader) {
        this.message = message;
        this.reader = reader;
        this.root = reader.root();
        if (root + OBJECT_BYTES > reader.sizeBytes()) {
            throw refusal("it is too short");
        }
        checkPadding();
        this.caveats = readCaveats();
        this.signed = signedBytes();
        MessageDigest digest = Sha256.newDigest();
        digest.update(signed.toBuffer());
        digest.update(signature(SIGNATURE_BYTES));
        this.id = new Sha256(Bytes.wrap(digest.digest()));
    }

    /**
     * Reads a capability. Its signature is not verified: see {@link Verifier}.
     *
     * @throws CodecException if it is none
     */
    public static Capability parse(Bytes message) {
        return new Capability(message, ZapReader.open(message.toArray(), Mode.STRICT));
    }

    private void checkPadding() {
        int scheme = reader.u8(root, OBJECT_BYTES - 1);
        if (scheme != ED25519) {
            throw refusal("its signature is of scheme " + scheme + ", which is not taken here");
        }
        for (int i = SIGNED_BYTES + ED25519_BYTES; i < OBJECT_BYTES - 1; i++) {
            if (reader.u8(root, i) != 0) {
                throw refusal("its signature is not padded with zeros");
            }
        }
    }

    private List<Caveat> readCaveats() {
        var all = new ArrayList<Caveat>();
        ZapReader inner = ZapReader.empty();
        var cursor = new EntryCursor().on(reader, reader.list(root, 156));
        while (cursor.next()) {
            reader.message(cursor.run(), inner);
            long caveat = inner.root();
            if (inner.isNull(caveat)) {
                throw refusal("a caveat is no message");
            }
            Bytes value = Bytes.wrap(inner.copy(inner.run(caveat, 4)));
            all.add(new Caveat(Caveat.Kind.of(inner.u32(caveat, 0)), value));
        }
        return List.copyOf(all);
    }

    private Bytes signedBytes() {
        int length = SIGNED_BYTES;
        for (Caveat caveat : caveats) {
            length += 8 + caveat.value().length();
        }
        byte[] bytes = new byte[length];
        reader.copyTo(reader.fixed(root, 0, SIGNED_BYTES), bytes, 0);
        int at = SIGNED_BYTES;
        for (Caveat caveat : caveats) {
            putU32(bytes, at, caveat.kind().number());
            putU32(bytes, at + 4, caveat.value().length());
            caveat.value().copyTo(bytes, at + 8);
            at += 8 + caveat.value().length();
        }
        return Bytes.wrap(bytes);
    }

    private static void putU32(byte[] bytes, int at, int value) {
        for (int i = 0; i < 4; i++) {
            bytes[at + i] = (byte) (value >>> (8 * i));
        }
    }

    byte[] signature(int bytes) {
        return reader.copy(reader.fixed(root, SIGNED_BYTES, bytes));
    }

    /** What kind of authority it gives: a number of the public registry. */
    public long kind() {
        return reader.u32(root, 0);
    }

    /** What it is about. */
    public Sha256 target() {
        return digest(4);
    }

    /** Who may use it. */
    public Sha256 holder() {
        return digest(36);
    }

    /** The digest of the public key that signed it. */
    public Sha256 issuer() {
        return digest(68);
    }

    /** A bit for each operation. */
    public long permissions() {
        return reader.i64(root, 100);
    }

    /** The id of the capability that this one attenuates; all zero for a root. */
    public Sha256 parent() {
        return digest(108);
    }

    /** Whether it attenuates no other. */
    public boolean isRoot() {
        return parent().bytes().equals(Bytes.wrap(new byte[Sha256.LENGTH_BYTES]));
    }

    /** Seconds since 1970, unsigned. */
    public long issuedAt() {
        return reader.i64(root, 140);
    }

    /** The last second in which it holds, since 1970, unsigned; 0 is never over. */
    public long expiresAt() {
        return reader.i64(root, 148);
    }

    /** All of its conditions, in order. */
    public List<Caveat> caveats() {
        return caveats;
    }

    /** The bytes under the signature. */
    public Bytes signed() {
        return signed;
    }

    /**
     * Its name for revocation and for its children: a digest of what is signed and the signature.
     */
    public Sha256 id() {
        return id;
    }

    /** The message. */
    public Bytes message() {
        return message;
    }

    private Sha256 digest(int field) {
        return new Sha256(Bytes.wrap(reader.copy(reader.fixed(root, field, Sha256.LENGTH_BYTES))));
    }

    static CodecException refusal(String why) {
        return CodecException.of(
                Code.BAD_CAPABILITY, -1, "a capability that does not hold: " + why);
    }
}
