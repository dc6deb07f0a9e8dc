package ai.hanzo.dev.host.core;

/** A core that the build linked. */
abstract class LinkedProgram implements CoreProgram {
    private final CoreDigest digest;
    private final int initialPages;
    private final int maximumPages;

    /** With what the linked class says of itself. */
    LinkedProgram(String digest, int initialPages, int maximumPages) {
        this.digest = new CoreDigest(digest);
        this.initialPages = initialPages;
        this.maximumPages = maximumPages;
    }

    /** The linked class, bound to a memory. */
    abstract LinkedCode code(FlatMemory memory, WasiHost host);

    @Override
    public final CoreDigest digest() {
        return digest;
    }

    @Override
    public final Loaded load(WasiHost host, int mostPages) {
        FlatMemory memory = CoreProgram.memory(initialPages, maximumPages, mostPages);
        LinkedCode code = code(memory, host);
        code.load();
        return new Loaded(code, memory);
    }
}
