package ai.hanzo.dev.host.surface.cli;

import java.io.ByteArrayOutputStream;

/**
 * Finds the keys that are meant for us among those that are meant for the program: Ctrl-] and then
 * d detaches, Ctrl-] twice is one Ctrl-], anything else after Ctrl-] goes on with it. One thread.
 */
final class DetachKeys {
    private static final int CTRL_BRACKET = 0x1d;

    private boolean isHalf;

    /**
     * What a piece of typing means.
     *
     * @param bytes for the program
     * @param isDetach whether it ends with the keys to detach; what was typed behind them is
     *     dropped
     */
    @SuppressWarnings("ArrayRecordComponent") // on its way from one stream to the next
    record Typed(byte[] bytes, boolean isDetach) {}

    /** Takes {@code length} bytes that were typed. */
    Typed take(byte[] typed, int length) {
        var bytes = new ByteArrayOutputStream(length + 1);
        for (int i = 0; i < length; i++) {
            int key = typed[i];
            if (!isHalf) {
                isHalf = key == CTRL_BRACKET;
                if (!isHalf) {
                    bytes.write(key);
                }
                continue;
            }
            isHalf = false;
            if (key == 'd') {
                return new Typed(bytes.toByteArray(), true);
            }
            bytes.write(CTRL_BRACKET);
            if (key != CTRL_BRACKET) {
                bytes.write(key);
            }
        }
        return new Typed(bytes.toByteArray(), false);
    }
}
