package ai.hanzo.dev.zap;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Damages messages: bits, bytes, words that are likely to be pointers, counts or lengths, pieces of
 * other messages. The same seed damages in the same ways. One thread.
 */
final class Mutator {
    private static final int MAX_BYTES = 4096;

    /** Where readers go wrong: ends of ranges, and small numbers near a header. */
    private static final int[] WORDS = {
        0,
        1,
        2,
        4,
        7,
        8,
        12,
        15,
        16,
        17,
        24,
        255,
        65_535,
        65_536,
        -1,
        -2,
        -4,
        -8,
        -16,
        -17,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        Integer.MAX_VALUE - 7,
        0x0050415A,
        0x10000,
        1 << 26
    };

    private final SplittableRandom random;

    Mutator(SplittableRandom random) {
        this.random = random;
    }

    /** A damaged copy; other messages give pieces. */
    byte[] mutate(byte[] message, List<byte[]> others) {
        byte[] bytes = message.clone();
        int rounds = 1 + random.nextInt(random.nextInt(4) == 0 ? 12 : 3);
        for (int i = 0; i < rounds; i++) {
            bytes = once(bytes, others);
        }
        // Mostly the size is made right again, or the header would stop nearly all of them.
        if (bytes.length >= Header.BYTES && random.nextInt(8) != 0) {
            Words.INT.set(bytes, 12, bytes.length);
        }
        return bytes;
    }

    private byte[] once(byte[] bytes, List<byte[]> others) {
        if (bytes.length == 0) {
            return new byte[Header.BYTES];
        }
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(10)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt(256);
            case 2, 3, 4 -> word(bytes, WORDS[random.nextInt(WORDS.length)]);
            case 5 -> word(bytes, random.nextInt(-64, bytes.length + 64));
            case 6 -> word(bytes, random.nextInt(4));
            case 7 -> {
                int length = Math.min(random.nextInt(24), bytes.length - at);
                int from = random.nextInt(bytes.length - length + 1);
                System.arraycopy(bytes, from, bytes, at, length);
            }
            case 8 -> {
                return random.nextBoolean()
                        ? Arrays.copyOf(bytes, at)
                        : Arrays.copyOf(bytes, Math.min(MAX_BYTES, bytes.length + 1 + at % 80));
            }
            default -> {
                byte[] other = others.get(random.nextInt(others.size()));
                int length =
                        Math.min(random.nextInt(64), Math.min(other.length, bytes.length - at));
                int from = random.nextInt(other.length - length + 1);
                System.arraycopy(other, from, bytes, at, length);
            }
        }
        return bytes;
    }

    /** Writes a word, mostly where the fields of objects lie: at multiples of four. */
    private void word(byte[] bytes, int value) {
        if (bytes.length < Integer.BYTES) {
            return;
        }
        int at = random.nextInt(bytes.length - Integer.BYTES + 1);
        Words.INT.set(bytes, random.nextInt(4) == 0 ? at : at & ~3, value);
    }
}
