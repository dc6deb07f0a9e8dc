package ai.hanzo.dev.workspace;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A SHA-256 (FIPS 180-4), big-endian in four words. A value; any thread.
 *
 * @param a bytes 0 to 7
 * @param b bytes 8 to 15
 * @param c bytes 16 to 23
 * @param d bytes 24 to 31
 */
public record Digest(long a, long b, long c, long d) implements Comparable<Digest> {

    /** Length in bytes. */
    public static final int BYTES = 32;

    /** The digest of {@code data}. */
    public static Digest of(byte[] data) {
        return of(data, 0, data.length);
    }

    /** The digest of {@code length} bytes of {@code data} from {@code offset} on. */
    public static Digest of(byte[] data, int offset, int length) {
        MessageDigest sha = sha256();
        sha.update(data, offset, length);
        return fromBytes(sha.digest());
    }

    /** The digest whose 32 bytes these are. */
    public static Digest fromBytes(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a digest has 32 bytes, not " + bytes.length);
        }
        return read(ByteBuffer.wrap(bytes));
    }

    /**
     * The digest written as 64 hexadecimal digits.
     *
     * @throws IllegalArgumentException if {@code hex} is anything else
     */
    public static Digest parse(String hex) {
        return fromBytes(HexFormat.of().parseHex(hex));
    }

    static Digest read(ByteBuffer in) {
        return new Digest(in.getLong(), in.getLong(), in.getLong(), in.getLong());
    }

    void write(ByteBuffer out) {
        out.putLong(a).putLong(b).putLong(c).putLong(d);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** A fresh array of the 32 bytes. */
    public byte[] toBytes() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        write(out);
        return out.array();
    }

    /** 64 lower-case hexadecimal digits. */
    public String hex() {
        return HexFormat.of().formatHex(toBytes());
    }

    @Override
    public int compareTo(Digest other) {
        return hex().compareTo(other.hex());
    }

    @Override
    public String toString() {
        return hex();
    }
}
