package ai.hanzo.dev.host.core;

/**
 * {@code wasm/dev.wasm} as the build linked it; the build proved what {@link CoreModule} checks.
 */
record BuiltInCore(CoreDigest digest) implements CoreProgram {
    BuiltInCore() {
        this(new CoreDigest(DevCode.digest()));
    }

    @Override
    public Loaded load(WasiHost host, int maximumPages) {
        FlatMemory memory =
                CoreProgram.memory(DevCode.initialPages(), DevCode.maximumPages(), maximumPages);
        var code = new DevCode(memory, host);
        code.load();
        return new Loaded(code, memory);
    }
}
