package ai.hanzo.dev.host.core;

/**
 * {@code wasm/dev.wasm} as the build linked it; the build proved what {@link CoreModule} checks.
 */
final class BuiltInCore extends LinkedProgram {
    BuiltInCore() {
        super(DevCode.digest(), DevCode.initialPages(), DevCode.maximumPages());
    }

    @Override
    LinkedCode code(FlatMemory memory, WasiHost host) {
        return new DevCode(memory, host);
    }
}
