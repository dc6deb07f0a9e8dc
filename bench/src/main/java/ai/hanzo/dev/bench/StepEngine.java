package ai.hanzo.dev.bench;

import java.io.IOException;

/** What makes steps durable, and can be timed at steps that do nothing else. One thread. */
interface StepEngine extends AutoCloseable {
    /** What it is called in the table. */
    String name();

    /** The median, in milliseconds, of {@code steps} steps that one workflow takes. */
    double one(int steps) throws IOException, InterruptedException;

    /** Steps in a second, of all workflows that run side by side for {@code seconds}. */
    double many(int seconds) throws IOException, InterruptedException;

    @Override
    void close();
}
