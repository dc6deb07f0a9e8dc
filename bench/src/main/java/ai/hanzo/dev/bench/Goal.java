package ai.hanzo.dev.bench;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What a measure should be: at most so many times a peer, or so many nanoseconds.
 *
 * @param peer the engine to compare with; empty for a number that stands by itself
 */
record Goal(Measure.Kind kind, String peer, double most) {

    /** Whether it is met, in words; empty if the peer is not here. */
    String verdict(double found, OptionalDouble ofPeer) {
        if (peer.isEmpty()) {
            return word(found <= most) + " (≤ " + number(most / 1_000) + " µs)";
        }
        if (ofPeer.isEmpty()) {
            return "";
        }
        double times = found / ofPeer.getAsDouble();
        return "%s (%s× %s, ≤ %s)"
                .formatted(word(times <= most), number(times), peer, number(most));
    }

    private static String word(boolean isMet) {
        return isMet ? "met" : "**missed**";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3g", value).replaceAll("\\.?0+$", "");
    }
}
