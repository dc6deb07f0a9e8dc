package ai.hanzo.dev.host.core;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.wasm.types.MemoryLimits;

/**
 * The code of any module, which Chicory instantiates and runs: for modules that this host was not
 * built with.
 */
final class ChicoryCode implements CoreCode {
    private final Machine machine;
    private final int abi;
    private final int open;
    private final int step;
    private final int snapshot;
    private final int restore;
    private final int drop;
    private final int alloc;
    private final int free;
    private final int release;

    ChicoryCode(CoreModule core, WasiHost host, FlatMemory memory) {
        Instance instance =
                Instance.builder(core.module())
                        .withImportValues(host.imports())
                        .withMachineFactory(core.machine())
                        .withMemoryLimits(
                                new MemoryLimits(memory.initialPages(), memory.maximumPages()))
                        .withMemoryFactory(_ -> memory)
                        .withStart(false)
                        .build();
        this.machine = instance.getMachine();
        this.abi = core.function("dev_abi");
        this.open = core.function("dev_new");
        this.step = core.function("dev_step");
        this.snapshot = core.function("dev_snapshot");
        this.restore = core.function("dev_restore");
        this.drop = core.function("dev_drop");
        this.alloc = core.function("dev_alloc");
        this.free = core.function("dev_free");
        this.release = core.function("dev_release");
    }

    private int answer(int function, long... arguments) {
        return (int) machine.call(function, arguments)[0];
    }

    @Override
    public int abi() {
        return answer(abi);
    }

    @Override
    public int open(int config, int length, int out) {
        return answer(open, config, length, out);
    }

    @Override
    public int step(long handle, int event, int length, int out) {
        return answer(step, handle, event, length, out);
    }

    @Override
    public int snapshot(long handle, int out) {
        return answer(snapshot, handle, out);
    }

    @Override
    public int restore(int state, int length, int out) {
        return answer(restore, state, length, out);
    }

    @Override
    public void drop(long handle) {
        machine.call(drop, new long[] {handle});
    }

    @Override
    public int alloc(int length) {
        return answer(alloc, length);
    }

    @Override
    public void free(int buffer) {
        machine.call(free, new long[] {buffer});
    }

    @Override
    public void release(int pointer, int length) {
        machine.call(release, new long[] {pointer, length});
    }

    /** Code that Chicory runs looks at the interrupt flag of its thread. */
    @Override
    public void stop(Thread caller) {
        caller.interrupt();
    }

    @Override
    public boolean takeStop() {
        return Thread.interrupted();
    }
}
