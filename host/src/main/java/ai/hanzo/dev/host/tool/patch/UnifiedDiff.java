package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.protocol.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes the difference of two versions of a file as git does: a unified diff that {@link Patch}
 * turns back, byte for byte. Pure.
 */
public final class UnifiedDiff {

    private static final int CONTEXT_LINES = 3;
    private static final Bytes NO_NEWLINE = Bytes.utf8("\n\\ No newline at end of file\n");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private UnifiedDiff() {}

    /**
     * One version of a file.
     *
     * @param mode permission bits; only whether the owner may run it is written
     */
    public record Version(Bytes content, int mode) {

        private String gitMode() {
            return (mode & 0100) != 0 ? "100755" : "100644";
        }

        /** As git guesses: a NUL in the first 8,000 bytes. */
        private boolean isBinary() {
            for (int i = 0; i < Math.min(content.length(), 8000); i++) {
                if (content.at(i) == 0) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * The diff of one file, with its headers; empty when nothing differs. Binary files are only
     * said to differ.
     *
     * @param path relative to the workspace
     * @param before empty for a new file
     * @param after empty for a deleted one
     */
    public static Bytes of(String path, Optional<Version> before, Optional<Version> after) {
        UnifiedDiff diff = new UnifiedDiff();
        boolean isSameContent = before.map(Version::content).equals(after.map(Version::content));
        boolean isSameMode = before.map(Version::gitMode).equals(after.map(Version::gitMode));
        if (isSameContent && isSameMode) {
            return Bytes.empty();
        }
        String a = quoted("a/" + path);
        String b = quoted("b/" + path);
        diff.line("diff --git " + a + " " + b);
        diff.modes(before, after, isSameMode);
        Bytes old = before.map(Version::content).orElse(Bytes.empty());
        Bytes now = after.map(Version::content).orElse(Bytes.empty());
        if (old.equals(now)) {
            return diff.bytes();
        }
        String from = before.isPresent() ? a : Paths.NULL_DEVICE;
        String to = after.isPresent() ? b : Paths.NULL_DEVICE;
        if (before.stream().anyMatch(Version::isBinary)
                || after.stream().anyMatch(Version::isBinary)) {
            diff.line("Binary files " + from + " and " + to + " differ");
            return diff.bytes();
        }
        diff.line("--- " + from);
        diff.line("+++ " + to);
        diff.hunks(terminated(old), terminated(now));
        return diff.bytes();
    }

    private void modes(Optional<Version> before, Optional<Version> after, boolean isSame) {
        if (before.isEmpty()) {
            after.ifPresent(version -> line("new file mode " + version.gitMode()));
        } else if (after.isEmpty()) {
            line("deleted file mode " + before.get().gitMode());
        } else if (!isSame) {
            line("old mode " + before.get().gitMode());
            line("new mode " + after.get().gitMode());
        }
    }

    /** Lines with their line feeds, so that one without differs from one with. */
    private static List<Bytes> terminated(Bytes content) {
        List<Bytes> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < content.length(); i++) {
            if (content.at(i) == '\n') {
                lines.add(content.slice(start, i + 1));
                start = i + 1;
            }
        }
        if (start < content.length()) {
            lines.add(content.slice(start, content.length()));
        }
        return lines;
    }

    /** A step through both texts: a line kept, removed or added. */
    private record Step(char sign, Bytes line, int beforeAt, int afterAt) {}

    private void hunks(List<Bytes> before, List<Bytes> after) {
        List<Step> steps = steps(before, after);
        int at = 0;
        while (true) {
            int first = at;
            while (first < steps.size() && steps.get(first).sign == ' ') {
                first++;
            }
            if (first == steps.size()) {
                return;
            }
            int end = hunkEnd(steps, first);
            hunk(steps.subList(Math.max(at, first - CONTEXT_LINES), end));
            at = end;
        }
    }

    /** Behind the context after the last change that is near enough to be in the same hunk. */
    private static int hunkEnd(List<Step> steps, int first) {
        int last = first;
        for (int i = first; i < steps.size() && i <= last + 2 * CONTEXT_LINES + 1; i++) {
            if (steps.get(i).sign != ' ') {
                last = i;
            }
        }
        return Math.min(steps.size(), last + 1 + CONTEXT_LINES);
    }

    private static List<Step> steps(List<Bytes> before, List<Bytes> after) {
        LineDiff diff = LineDiff.of(before, after);
        List<Step> steps = new ArrayList<>();
        int b = 0;
        int a = 0;
        while (b < before.size() || a < after.size()) {
            if (b < before.size() && diff.isRemoved(b)) {
                steps.add(new Step('-', before.get(b), b, a));
                b++;
            } else if (a < after.size() && diff.isAdded(a)) {
                steps.add(new Step('+', after.get(a), b, a));
                a++;
            } else {
                steps.add(new Step(' ', before.get(b), b, a));
                b++;
                a++;
            }
        }
        return steps;
    }

    private void hunk(List<Step> steps) {
        long oldCount = steps.stream().filter(step -> step.sign != '+').count();
        long newCount = steps.stream().filter(step -> step.sign != '-').count();
        Step first = steps.getFirst();
        line(
                "@@ -%s +%s @@"
                        .formatted(
                                range(first.beforeAt, oldCount), range(first.afterAt, newCount)));
        for (Step step : steps) {
            out.write(step.sign);
            Bytes line = step.line;
            boolean isTerminated = line.at(line.length() - 1) == '\n';
            out.writeBytes(line.toArray());
            if (!isTerminated) {
                out.writeBytes(NO_NEWLINE.toArray());
            }
        }
    }

    /** An empty side is named by the line before it. */
    private static String range(int at, long count) {
        int start = count == 0 ? at : at + 1;
        return count == 1 ? String.valueOf(start) : start + "," + count;
    }

    private void line(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        out.write('\n');
    }

    private Bytes bytes() {
        return Bytes.wrap(out.toByteArray());
    }

    /** In C quotes, as git does, when there are control characters, quotes or backslashes in it. */
    private static String quoted(String path) {
        StringBuilder quoted = new StringBuilder();
        boolean isPlain = true;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean isPlainHere = c >= ' ' && c != 0x7f && c != '"' && c != '\\';
            isPlain &= isPlainHere;
            quoted.append(isPlainHere ? String.valueOf(c) : "\\%03o".formatted((int) c));
        }
        return isPlain ? path : "\"" + quoted + "\"";
    }
}
