package ai.hanzo.dev.bench;

/** Something that runs the core and can be timed. One thread. */
interface Engine extends AutoCloseable {
    /**
     * What all operations of a batch took.
     *
     * @param cpuNanos of the thread, or of the process where that is all that can be had
     * @param wallNanos that passed; 0 if the engine does not tell
     */
    record Batch(long cpuNanos, long wallNanos) {
        static Batch parse(String line) {
            String[] numbers = line.split(" ", 2);
            return new Batch(
                    Long.parseLong(numbers[0]),
                    numbers.length == 1 ? 0 : Long.parseLong(numbers[1]));
        }
    }

    /** What it is called in the table. */
    String name();

    /** Runs one batch. */
    Batch batch(Measure measure);

    @Override
    void close();
}
