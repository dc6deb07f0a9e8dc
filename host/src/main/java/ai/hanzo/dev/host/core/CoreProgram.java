package ai.hanzo.dev.host.core;

/** A core that can be run: code and what its memory begins with. Safe for all threads. */
interface CoreProgram {
    CoreDigest digest();

    /**
     * Code in a memory of its own, which holds what it holds before the first call.
     *
     * @param maximumPages what the memory may grow to, if the module does not set less
     * @throws CoreException {@code ABI} if the module wants more at once
     */
    Loaded load(WasiHost host, int maximumPages);

    /** Code and its memory. */
    record Loaded(CoreCode code, FlatMemory memory) {}

    /** An empty memory for a module that begins and may end with so many pages. */
    static FlatMemory memory(int initialPages, int ownMaximum, int maximumPages) {
        int pages = Math.min(ownMaximum, maximumPages);
        if (initialPages > pages) {
            throw CoreException.abi(
                    "the module wants " + initialPages + " pages of memory at once");
        }
        return new FlatMemory(initialPages, pages);
    }
}
