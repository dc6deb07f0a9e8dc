package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.protocol.Bytes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which lines of two texts are the same: patience diff (Bram Cohen). Common lines that are unique
 * on both sides are the anchors; between them a longest common subsequence, where that is cheap
 * enough, else the whole stretch counts as changed. Time is O(n log n) but for those stretches.
 */
final class LineDiff {

    /** Cells of the table of a longest common subsequence: 4 MiB of ints. */
    private static final long MAX_CELLS = 1L << 20;

    private final List<Bytes> before;
    private final List<Bytes> after;
    private final BitSet removed = new BitSet();
    private final BitSet added = new BitSet();

    private LineDiff(List<Bytes> before, List<Bytes> after) {
        this.before = before;
        this.after = after;
    }

    /** A stretch of both sides, ends exclusive. */
    private record Stretch(int beforeFrom, int beforeTo, int afterFrom, int afterTo) {}

    static LineDiff of(List<Bytes> before, List<Bytes> after) {
        LineDiff diff = new LineDiff(before, after);
        List<Stretch> todo = new ArrayList<>();
        todo.add(new Stretch(0, before.size(), 0, after.size()));
        while (!todo.isEmpty()) {
            diff.split(todo.removeLast(), todo);
        }
        return diff;
    }

    /** Whether the line of the old text is not in the new one. */
    boolean isRemoved(int index) {
        return removed.get(index);
    }

    /** Whether the line of the new text is not in the old one. */
    boolean isAdded(int index) {
        return added.get(index);
    }

    private void split(Stretch whole, List<Stretch> todo) {
        Stretch s = trim(whole);
        if (s.beforeFrom == s.beforeTo || s.afterFrom == s.afterTo) {
            markChanged(s);
            return;
        }
        List<int[]> anchors = anchors(s);
        if (anchors.isEmpty()) {
            long cells = (long) (s.beforeTo - s.beforeFrom + 1) * (s.afterTo - s.afterFrom + 1);
            if (cells <= MAX_CELLS) {
                commonSubsequence(s);
            } else {
                markChanged(s);
            }
            return;
        }
        int b = s.beforeFrom;
        int a = s.afterFrom;
        for (int[] anchor : anchors) {
            todo.add(new Stretch(b, anchor[0], a, anchor[1]));
            b = anchor[0] + 1;
            a = anchor[1] + 1;
        }
        todo.add(new Stretch(b, s.beforeTo, a, s.afterTo));
    }

    private Stretch trim(Stretch s) {
        int b = s.beforeFrom;
        int a = s.afterFrom;
        int bEnd = s.beforeTo;
        int aEnd = s.afterTo;
        while (b < bEnd && a < aEnd && before.get(b).equals(after.get(a))) {
            b++;
            a++;
        }
        while (b < bEnd && a < aEnd && before.get(bEnd - 1).equals(after.get(aEnd - 1))) {
            bEnd--;
            aEnd--;
        }
        return new Stretch(b, bEnd, a, aEnd);
    }

    private void markChanged(Stretch s) {
        removed.set(s.beforeFrom, s.beforeTo);
        added.set(s.afterFrom, s.afterTo);
    }

    /** Pairs (old, new) of lines that are unique on both sides, rising on both. */
    private List<int[]> anchors(Stretch s) {
        Map<Bytes, Integer> inBefore = uniques(before, s.beforeFrom, s.beforeTo);
        Map<Bytes, Integer> inAfter = uniques(after, s.afterFrom, s.afterTo);
        List<int[]> pairs = new ArrayList<>();
        for (int i = s.beforeFrom; i < s.beforeTo; i++) {
            int other = inAfter.getOrDefault(before.get(i), -1);
            if (other >= 0 && inBefore.getOrDefault(before.get(i), -1) == i) {
                pairs.add(new int[] {i, other});
            }
        }
        return longestRising(pairs);
    }

    /** The index of each line that is there once; -1 for those that are there more than once. */
    private static Map<Bytes, Integer> uniques(List<Bytes> lines, int from, int to) {
        Map<Bytes, Integer> found = new HashMap<>();
        for (int i = from; i < to; i++) {
            found.merge(lines.get(i), i, (_, _) -> -1);
        }
        return found;
    }

    /** The longest subsequence that rises in the second number (patience sorting). */
    private static List<int[]> longestRising(List<int[]> pairs) {
        int[] tops = new int[pairs.size()];
        int[] previous = new int[pairs.size()];
        int piles = 0;
        for (int i = 0; i < pairs.size(); i++) {
            int low = 0;
            int high = piles;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (pairs.get(tops[middle])[1] < pairs.get(i)[1]) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            previous[i] = low == 0 ? -1 : tops[low - 1];
            tops[low] = i;
            piles = Math.max(piles, low + 1);
        }
        List<int[]> rising = new ArrayList<>();
        for (int i = piles == 0 ? -1 : tops[piles - 1]; i >= 0; i = previous[i]) {
            rising.addFirst(pairs.get(i));
        }
        return rising;
    }

    private void commonSubsequence(Stretch s) {
        int rows = s.beforeTo - s.beforeFrom;
        int columns = s.afterTo - s.afterFrom;
        int[][] length = new int[rows + 1][columns + 1];
        for (int i = rows - 1; i >= 0; i--) {
            for (int j = columns - 1; j >= 0; j--) {
                length[i][j] =
                        isSame(s, i, j)
                                ? length[i + 1][j + 1] + 1
                                : Math.max(length[i + 1][j], length[i][j + 1]);
            }
        }
        int i = 0;
        int j = 0;
        while (i < rows || j < columns) {
            if (i < rows && j < columns && isSame(s, i, j)) {
                i++;
                j++;
            } else if (j >= columns || (i < rows && length[i + 1][j] >= length[i][j + 1])) {
                removed.set(s.beforeFrom + i++);
            } else {
                added.set(s.afterFrom + j++);
            }
        }
    }

    private boolean isSame(Stretch s, int i, int j) {
        return before.get(s.beforeFrom + i).equals(after.get(s.afterFrom + j));
    }
}
