package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.protocol.Bytes;
import java.util.ArrayList;
import java.util.List;

/** Puts hunks into a file. What no hunk names stays as it is, byte for byte. */
final class HunkApplier {

    private HunkApplier() {}

    /** The new content; refuses when a hunk does not fit in exactly one place. */
    static Bytes apply(Bytes content, List<Hunk> hunks) {
        FileLines file = FileLines.of(content, hunks);
        Locator locator = new Locator(file);
        List<Bytes> out = new ArrayList<>();
        int from = 0;
        int shift = 0;
        boolean isTerminated = file.isTerminated();
        for (Hunk hunk : hunks) {
            int at = locator.locate(hunk, from, shift);
            out.addAll(file.lines().subList(from, at));
            hunk.lines().stream().filter(HunkLine::isNew).forEach(line -> out.add(line.text()));
            from = at + hunk.old().size();
            shift = hunk.place() instanceof Hunk.AtLine(int line) ? at - (line - 1) : 0;
            isTerminated = endAfter(hunk, from == file.lines().size(), isTerminated);
        }
        out.addAll(file.lines().subList(from, file.lines().size()));
        return file.with(out, isTerminated || out.isEmpty()).join();
    }

    /** How the file ends: as it did, unless a hunk at its end says otherwise. */
    private static boolean endAfter(Hunk hunk, boolean isAtEnd, boolean isTerminated) {
        if (!isAtEnd) {
            return isTerminated;
        }
        if (hunk.endsNewUnterminated()) {
            return false;
        }
        return isTerminated || hunk.endsOldUnterminated();
    }
}
