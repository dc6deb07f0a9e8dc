package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.protocol.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** The paths that patches name. */
final class Paths {

    static final String NULL_DEVICE = "/dev/null";

    private Paths() {}

    /**
     * The path of a {@code ---} or {@code +++} line: up to a tab (a time may follow), or in C
     * quotes as git writes names with unusual bytes.
     */
    static String ofHeader(String rest, int line) {
        if (rest.startsWith("\"")) {
            return unquote(rest, line);
        }
        int tab = rest.indexOf('\t');
        String path = tab < 0 ? rest : rest.substring(0, tab);
        if (path.isEmpty()) {
            throw PatchRefusal.of("Line %d of the patch names no file.", line);
        }
        return path;
    }

    private static String unquote(String quoted, int line) {
        byte[] out = new byte[quoted.length() * 3];
        int length = 0;
        int i = 1;
        while (i < quoted.length() && quoted.charAt(i) != '"') {
            char c = quoted.charAt(i++);
            if (c != '\\') {
                byte[] plain = String.valueOf(c).getBytes(StandardCharsets.UTF_8);
                System.arraycopy(plain, 0, out, length, plain.length);
                length += plain.length;
                continue;
            }
            if (i >= quoted.length()) {
                break;
            }
            char escape = quoted.charAt(i++);
            if (escape >= '0' && escape <= '3' && i + 2 <= quoted.length()) {
                out[length++] = octal(quoted.substring(i - 1, i + 2), line);
                i += 2;
                continue;
            }
            out[length++] = escaped(escape, line);
        }
        if (i >= quoted.length()) {
            throw PatchRefusal.of("The quoted path in line %d of the patch does not end.", line);
        }
        return Bytes.wrap(out).slice(0, length).toUtf8();
    }

    private static byte octal(String digits, int line) {
        try {
            return (byte) Integer.parseInt(digits, 8);
        } catch (NumberFormatException e) {
            throw PatchRefusal.of("Line %d of the patch has the bad escape \\%s.", line, digits);
        }
    }

    private static byte escaped(char escape, int line) {
        return switch (escape) {
            case 'a' -> 7;
            case 'b' -> '\b';
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'v' -> 11;
            case 'f' -> '\f';
            case 'r' -> '\r';
            case '"' -> '"';
            case '\\' -> '\\';
            default ->
                    throw PatchRefusal.of(
                            "Line %d of the patch has the bad escape \\%s.", line, escape);
        };
    }

    /** Refuses what cannot be beneath the workspace by its letters alone. */
    static String require(String path, int line) {
        if (path.isEmpty() || path.indexOf('\0') >= 0) {
            throw PatchRefusal.of("Line %d of the patch names no file.", line);
        }
        if (path.startsWith("/")) {
            throw PatchRefusal.of(
                    "Line %d of the patch names %s: paths are relative to the workspace.",
                    line, path);
        }
        if (clean(path).isEmpty()) {
            throw PatchRefusal.of(
                    "Line %d of the patch names %s, which is not a file in the workspace.",
                    line, path);
        }
        return path;
    }

    /** The path without {@code .}, {@code ..} and doubled slashes; empty when it leads out. */
    static String clean(String path) {
        Deque<String> parts = new ArrayDeque<>();
        for (String part : path.split("/", -1)) {
            switch (part) {
                case "", "." -> {}
                case ".." -> {
                    if (parts.pollLast() == null) {
                        return "";
                    }
                }
                default -> parts.addLast(part);
            }
        }
        return String.join("/", parts);
    }
}
