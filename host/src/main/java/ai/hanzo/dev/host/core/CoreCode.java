package ai.hanzo.dev.host.core;

/**
 * The functions of a core's module, bound to one memory; {@code docs/core.md} has what they mean.
 * Pointers and lengths are unsigned and are passed on as they are.
 *
 * <p>One thread at a time but for {@link #stop}. A function that traps throws what Chicory throws,
 * and neither the code nor its memory may be used afterwards.
 */
interface CoreCode {
    int abi();

    int open(int config, int length, int out);

    int step(long handle, int event, int length, int out);

    int snapshot(long handle, int out);

    int restore(int state, int length, int out);

    void drop(long handle);

    int alloc(int length);

    void free(int buffer);

    void release(int pointer, int length);

    /**
     * Asks the call that is inside to end soon, with {@code ChicoryInterruptedException}. Any
     * thread.
     *
     * @param caller the thread whose call it is
     */
    void stop(Thread caller);

    /** Whether {@link #stop} was called; forgets it. By the caller, after its call. */
    boolean takeStop();
}
