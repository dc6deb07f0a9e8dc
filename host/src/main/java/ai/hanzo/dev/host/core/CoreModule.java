package ai.hanzo.dev.host.core;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.ExternalType;
import com.dylibso.chicory.wasm.types.FunctionImport;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.Import;
import com.dylibso.chicory.wasm.types.MemoryLimits;
import com.dylibso.chicory.wasm.types.MemorySection;
import com.dylibso.chicory.wasm.types.ValType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A module that has passed as a core of ABI 2: its imports are at most the three, its exports
 * exactly the nine functions and the memory, and nothing of it runs before it is called. Immutable.
 *
 * @param machine makes the code of the module run
 */
record CoreModule(CoreDigest digest, WasmModule module, Function<Instance, Machine> machine)
        implements CoreProgram {
    private static final ValType I32 = ValType.I32;
    private static final ValType I64 = ValType.I64;

    /** Name → type, as the ABI has them on wasm32. */
    static final Map<String, FunctionType> EXPORTS =
            Map.of(
                    "dev_abi", type(List.of(), I32),
                    "dev_new", type(List.of(I32, I32, I32), I32),
                    "dev_step", type(List.of(I64, I32, I32, I32), I32),
                    "dev_snapshot", type(List.of(I64, I32), I32),
                    "dev_restore", type(List.of(I32, I32, I32), I32),
                    "dev_drop", FunctionType.of(List.of(I64), List.of()),
                    "dev_free", FunctionType.of(List.of(I32), List.of()),
                    "dev_alloc", type(List.of(I32), I32),
                    "dev_release", FunctionType.of(List.of(I32, I32), List.of()));

    /**
     * What the table may begin with; a core has as many entries as functions that it calls
     * indirectly.
     */
    private static final long MAX_TABLE_ENTRIES = 4_096;

    CoreModule {
        checkStart(module);
        checkImports(module);
        checkExports(module);
        checkState(module);
        checkSizes(module);
    }

    /** It would run while the module is loaded, when no deadline watches it. */
    private static void checkStart(WasmModule module) {
        if (module.startSection().isPresent()) {
            throw CoreException.abi("the module has a start function, which no core may have");
        }
    }

    private static void checkSizes(WasmModule module) {
        int memories = module.memorySection().map(MemorySection::memoryCount).orElse(0);
        if (memories != 1) {
            throw CoreException.abi("the module has " + memories + " memories, a core has one");
        }
        if (module.memorySection().orElseThrow().getMemory(0).limits().initialPages() == 0) {
            throw CoreException.abi("the module begins with no pages of memory");
        }
        if (module.tableSection().tableCount() > 1) {
            throw CoreException.abi("the module has more than one table");
        }
        for (int i = 0; i < module.tableSection().tableCount(); i++) {
            long entries = module.tableSection().getTable(i).limits().min();
            if (entries > MAX_TABLE_ENTRIES) {
                throw CoreException.abi(
                        "the module has a table of %d entries, a core has at most %d"
                                .formatted(entries, MAX_TABLE_ENTRIES));
            }
        }
    }

    /**
     * Sessions take turns in one instance, so all their state must lie in memory. The one global
     * that may change is the stack pointer, which is back at its place after each call.
     */
    private static void checkState(WasmModule module) {
        if (module.globalSection().globalCount() > 1) {
            throw CoreException.abi("the module keeps state outside of its memory");
        }
    }

    private static FunctionType type(List<ValType> parameters, ValType result) {
        return FunctionType.of(parameters, List.of(result));
    }

    /** Refuses what is not one of the three, by name. */
    static void checkImports(WasmModule module) {
        Map<String, FunctionType> allowed = WasiHost.types();
        for (int i = 0; i < module.importSection().importCount(); i++) {
            Import wanted = module.importSection().getImport(i);
            FunctionType type = allowed.get(wanted.name());
            boolean isAllowed =
                    wanted.module().equals(WasiHost.MODULE)
                            && wanted instanceof FunctionImport function
                            && type != null
                            && module.typeSection().getType(function.typeIndex()).equals(type);
            if (!isAllowed) {
                throw CoreException.wantsImport(wanted.module() + "." + wanted.name());
            }
        }
    }

    private static void checkExports(WasmModule module) {
        var found = new TreeMap<String, Integer>();
        int memories = 0;
        for (int i = 0; i < module.exportSection().exportCount(); i++) {
            var export = module.exportSection().getExport(i);
            if (export.exportType() == ExternalType.MEMORY && export.name().equals("memory")) {
                memories++;
            } else if (export.exportType() == ExternalType.FUNCTION
                    && EXPORTS.containsKey(export.name())) {
                found.put(export.name(), export.index());
            } else {
                throw CoreException.abi("the module has the export " + export.name() + " too many");
            }
        }
        if (memories != 1) {
            throw CoreException.abi("the module does not export its memory");
        }
        EXPORTS.forEach((name, type) -> checkExport(module, found, name, type));
    }

    private static void checkExport(
            WasmModule module, Map<String, Integer> found, String name, FunctionType type) {
        Integer index = found.get(name);
        if (index == null) {
            throw CoreException.abi("the module lacks the export " + name);
        }
        int imports = module.importSection().importCount();
        if (index < imports
                || !module.functionSection()
                        .getFunctionType(index - imports, module.typeSection())
                        .equals(type)) {
            throw CoreException.abi("the export " + name + " of the module has another type");
        }
    }

    @Override
    public Loaded load(WasiHost host, int maximumPages) {
        MemoryLimits own =
                module.memorySection()
                        .orElseThrow(() -> CoreException.abi("the module has no memory"))
                        .getMemory(0)
                        .limits();
        FlatMemory memory =
                CoreProgram.memory(own.initialPages(), own.maximumPages(), maximumPages);
        try {
            return new Loaded(new ChicoryCode(this, host, memory), memory);
        } catch (ChicoryException | IndexOutOfBoundsException e) {
            throw CoreException.abi(
                    "the data or the table of the module does not fit: " + e.getMessage());
        }
    }

    int function(String name) {
        for (int i = 0; i < module.exportSection().exportCount(); i++) {
            if (module.exportSection().getExport(i).name().equals(name)) {
                return module.exportSection().getExport(i).index();
            }
        }
        throw CoreException.abi("the module lacks the export " + name);
    }
}
