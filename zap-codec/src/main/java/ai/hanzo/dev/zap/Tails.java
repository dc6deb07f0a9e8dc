package ai.hanzo.dev.zap;

import java.util.Arrays;

/**
 * Texts and bytes that were set in open objects and are not written yet, in the order of the calls.
 */
final class Tails {
    private int[] numbers = new int[4 * 8];
    private Object[] values = new Object[8];
    private int count;

    void add(int object, int field, Object value, int from, int length) {
        if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
            numbers = Arrays.copyOf(numbers, 8 * count);
        }
        int at = 4 * count;
        numbers[at] = object;
        numbers[at + 1] = field;
        numbers[at + 2] = from;
        numbers[at + 3] = length;
        values[count++] = value;
    }

    int count() {
        return count;
    }

    int object(int i) {
        return numbers[4 * i];
    }

    /** The position of the slot. */
    int slot(int i) {
        return numbers[4 * i] + numbers[4 * i + 1];
    }

    Object value(int i) {
        return values[i];
    }

    int from(int i) {
        return numbers[4 * i + 2];
    }

    int length(int i) {
        return numbers[4 * i + 3];
    }

    void move(int from, int to) {
        if (from != to) {
            System.arraycopy(numbers, 4 * from, numbers, 4 * to, 4);
            values[to] = values[from];
        }
    }

    /** Forgets all but the first {@code kept}. */
    void truncate(int kept) {
        Arrays.fill(values, kept, count, null);
        count = kept;
    }
}
