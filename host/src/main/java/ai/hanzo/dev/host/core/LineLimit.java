package ai.hanzo.dev.host.core;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Lets so many lines through in each window of time, for all sessions of a host together: a core
 * that is fed junk by somebody must not fill the log of everybody. How many were left out is said
 * with the first line of a later window. Safe for all threads.
 */
final class LineLimit implements Consumer<String> {
    private final int mostLines;
    private final long windowNanos;
    private final LongSupplier nanoTime;
    private final Consumer<String> sink;

    private final Object lock = new Object();
    // under lock
    private long windowStart;
    private int linesInWindow;
    private long leftOut;

    /**
     * @param mostLines in one window
     * @param nanoTime a clock that only goes forward, in nanoseconds
     */
    LineLimit(int mostLines, Duration window, LongSupplier nanoTime, Consumer<String> sink) {
        this.mostLines = mostLines;
        this.windowNanos = window.toNanos();
        this.nanoTime = nanoTime;
        this.sink = sink;
        this.windowStart = nanoTime.getAsLong();
    }

    @Override
    public void accept(String line) {
        long missed;
        synchronized (lock) {
            long now = nanoTime.getAsLong();
            if (now - windowStart >= windowNanos) {
                windowStart = now;
                linesInWindow = 0;
            }
            if (linesInWindow == mostLines) {
                leftOut++;
                return;
            }
            linesInWindow++;
            missed = leftOut;
            leftOut = 0;
        }
        if (missed > 0) {
            sink.accept(missed + " lines were left out");
        }
        sink.accept(line);
    }
}
