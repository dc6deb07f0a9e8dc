package ai.hanzo.dev.workspace;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A path below the root of a workspace, as bytes: Linux file names are bytes and need not be UTF-8.
 * Never empty parts, {@code .} or {@code ..}; the root itself is the empty path. A value; ordered
 * by unsigned bytes of its parts, so that a directory comes right before what is in it.
 */
public final class TreePath implements Comparable<TreePath> {

    /** The workspace itself. */
    public static final TreePath ROOT = new TreePath(new byte[0]);

    private final byte[] bytes;

    private TreePath(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * The path {@code text}, in UTF-8, relative to the workspace.
     *
     * @throws IllegalArgumentException if it is absolute, has an empty part, {@code .}, {@code ..}
     *     or a NUL
     */
    public static TreePath of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The same for raw bytes, which are copied. */
    public static TreePath of(byte[] raw) {
        TreePath path = ROOT;
        if (raw.length == 0) {
            return path;
        }
        int start = 0;
        for (int i = 0; i <= raw.length; i++) {
            if (i == raw.length || raw[i] == '/') {
                path = path.child(Arrays.copyOfRange(raw, start, i));
                start = i + 1;
            }
        }
        return path;
    }

    /** The entry {@code name} of this directory. */
    public TreePath child(byte[] name) {
        if (!isName(name)) {
            throw new IllegalArgumentException("not a file name: " + render(name));
        }
        if (bytes.length == 0) {
            return new TreePath(name.clone());
        }
        byte[] joined = Arrays.copyOf(bytes, bytes.length + 1 + name.length);
        joined[bytes.length] = '/';
        System.arraycopy(name, 0, joined, bytes.length + 1, name.length);
        return new TreePath(joined);
    }

    static boolean isName(byte[] name) {
        if (name.length == 0 || name.length > 255 || isDots(name)) {
            return false;
        }
        for (byte b : name) {
            if (b == 0 || b == '/') {
                return false;
            }
        }
        return true;
    }

    private static boolean isDots(byte[] name) {
        return name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
    }

    /** Whether this is the workspace itself. */
    public boolean isRoot() {
        return bytes.length == 0;
    }

    /** The directory that holds this path; of the root, the root. */
    public TreePath parent() {
        int slash = lastSlash();
        return slash < 0 ? ROOT : new TreePath(Arrays.copyOf(bytes, slash));
    }

    /** The last part; empty for the root. */
    public byte[] name() {
        return Arrays.copyOfRange(bytes, lastSlash() + 1, bytes.length);
    }

    /** Whether this path is {@code other} or lies in it. */
    public boolean isIn(TreePath other) {
        return other.isRoot()
                || (bytes.length >= other.bytes.length
                        && Arrays.equals(
                                bytes, 0, other.bytes.length, other.bytes, 0, other.bytes.length)
                        && (bytes.length == other.bytes.length
                                || bytes[other.bytes.length] == '/'));
    }

    List<byte[]> parts() {
        List<byte[]> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= bytes.length && bytes.length > 0; i++) {
            if (i == bytes.length || bytes[i] == '/') {
                parts.add(Arrays.copyOfRange(bytes, start, i));
                start = i + 1;
            }
        }
        return parts;
    }

    private int lastSlash() {
        for (int i = bytes.length - 1; i >= 0; i--) {
            if (bytes[i] == '/') {
                return i;
            }
        }
        return -1;
    }

    /** A fresh array of the bytes, parts separated by {@code /}. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    /**
     * For people: UTF-8 as it is; a control character or a byte that is not UTF-8 as {@code \xNN}.
     */
    public String text() {
        return bytes.length == 0 ? "." : render(bytes);
    }

    static String render(byte[] raw) {
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw)).toString();
            if (text.chars().noneMatch(c -> c < 0x20 || (c >= 0x7f && c < 0xa0) || isFormat(c))) {
                return text;
            }
        } catch (CharacterCodingException _) {
            // rendered byte by byte below
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte b : raw) {
            int v = b & 0xff;
            if (v >= 0x20 && v < 0x7f) {
                out.write(v);
            } else {
                out.writeBytes(
                        String.format(Locale.ROOT, "\\x%02x", v)
                                .getBytes(StandardCharsets.US_ASCII));
            }
        }
        return out.toString(StandardCharsets.US_ASCII);
    }

    // Direction overrides and other invisible marks could make a name look like another.
    private static boolean isFormat(int c) {
        return Character.getType(c) == Character.FORMAT;
    }

    @Override
    public int compareTo(TreePath other) {
        int n = Math.min(bytes.length, other.bytes.length);
        for (int i = 0; i < n; i++) {
            if (bytes[i] != other.bytes[i]) {
                return Integer.compare(rank(bytes[i]), rank(other.bytes[i]));
            }
        }
        return Integer.compare(bytes.length, other.bytes.length);
    }

    // '/' sorts before all else: "a/b" comes before "a.c".
    private static int rank(byte b) {
        return b == '/' ? -1 : b & 0xff;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof TreePath p && Arrays.equals(bytes, p.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return text();
    }
}
