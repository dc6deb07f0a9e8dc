package ai.hanzo.dev.zap;

import java.util.Arrays;

/** The objects that are open below the one that was started last: position and end of each. */
final class OpenObjects {
    private int[] spans = new int[16];
    private int used;

    void push(int object, int end) {
        if (used + 2 > spans.length) {
            spans = Arrays.copyOf(spans, spans.length * 2);
        }
        spans[used++] = object;
        spans[used++] = end;
    }

    boolean isEmpty() {
        return used == 0;
    }

    int last() {
        return spans[used - 2];
    }

    int lastEnd() {
        return spans[used - 1];
    }

    void removeLast() {
        used -= 2;
    }

    void remove(int object) {
        int at = find(object);
        System.arraycopy(spans, at + 2, spans, at, used - at - 2);
        used -= 2;
    }

    /** The end of an object; throws {@link IllegalStateException} if it is not open. */
    int endOf(int object) {
        return spans[find(object) + 1];
    }

    private int find(int object) {
        for (int i = used - 2; i >= 0; i -= 2) {
            if (spans[i] == object) {
                return i;
            }
        }
        throw new IllegalStateException("the object at " + object + " is not open");
    }

    void clear() {
        used = 0;
    }
}
