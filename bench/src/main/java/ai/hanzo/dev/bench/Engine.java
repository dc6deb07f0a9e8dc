package ai.hanzo.dev.bench;

/** Something that runs the core and can be timed. One thread. */
interface Engine extends AutoCloseable {
    /** What it is called in the table. */
    String name();

    /** Runs one batch and answers the CPU nanoseconds of all of it. */
    long batch(Measure measure);

    @Override
    void close();
}
