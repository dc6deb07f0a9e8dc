package ai.hanzo.dev.host.core;

import com.dylibso.chicory.runtime.InterpreterMachine;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.ExternalType;
import com.dylibso.chicory.wasm.types.FunctionType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What {@code hanzo dev core verify} tells of a module: what it imports and exports, which ABI it
 * speaks, and whether it is the one of the lock. Immutable.
 *
 * @param pages of memory at the start
 * @param abi as the module answers; empty if it could not be asked
 * @param imports module and name of each, with its type
 * @param exports name of each, with its type
 * @param lockName what the lock is called, for a person
 * @param isLocked whether the digest is the one in the lock
 * @param problems why the module cannot be a core of this host; empty if it can
 */
public record CoreReport(
        CoreDigest digest,
        long sizeBytes,
        int pages,
        Optional<Integer> abi,
        List<String> imports,
        List<String> exports,
        String lockName,
        boolean isLocked,
        List<String> problems) {
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    public CoreReport {
        imports = List.copyOf(imports);
        exports = List.copyOf(exports);
        problems = List.copyOf(problems);
    }

    /** Looks at the module that is built into this host. */
    public static CoreReport ofCurrent() {
        return of(WasmCores.resource("dev.wasm"));
    }

    /** Looks at the bytes of any module, beside the lock of this host. */
    public static CoreReport of(byte[] wasm) {
        return of(wasm, CoreLock.builtIn(), "this host's lock");
    }

    /** Looks at the bytes of any module; never throws for what is in them. */
    public static CoreReport of(byte[] wasm, CoreLock lock, String lockName) {
        CoreDigest digest = CoreDigest.of(wasm);
        boolean isLocked = lock.output().equals(digest) && lock.sizeBytes() == wasm.length;
        var problems = new ArrayList<String>();
        WasmModule module;
        try {
            module = Parser.parse(wasm);
        } catch (ChicoryException | IndexOutOfBoundsException e) {
            problems.add("not a WebAssembly module: " + e.getMessage());
            return new CoreReport(
                    digest,
                    wasm.length,
                    0,
                    Optional.empty(),
                    List.of(),
                    List.of(),
                    lockName,
                    isLocked,
                    problems);
        }
        Optional<Integer> abi = Optional.empty();
        try {
            abi = Optional.of(abiOf(new CoreModule(digest, module, InterpreterMachine::new)));
        } catch (CoreException e) {
            problems.add(e.getMessage());
        }
        abi.filter(version -> version != WasmCores.ABI)
                .ifPresent(version ->
                        problems.add(
                                "it speaks ABI "
                                        + version
                                        + ", this host speaks "
                                        + WasmCores.ABI));
        return new CoreReport(
                digest,
                wasm.length,
                pages(module),
                abi,
                imports(module),
                exports(module),
                lockName,
                isLocked,
                problems);
    }

    /** All of it for a person, a fact a line. */
    public List<String> lines() {
        var lines = new ArrayList<String>();
        lines.add("digest  " + digest);
        lines.add("size    " + sizeBytes + " bytes, " + pages + " pages of memory at the start");
        lines.add("abi     " + abi.map(String::valueOf).orElse("unknown"));
        lines.add("lock    " + (isLocked ? "matches " : "is not that of ") + lockName);
        imports.forEach(line -> lines.add("import  " + line));
        exports.forEach(line -> lines.add("export  " + line));
        return lines;
    }

    private static int abiOf(CoreModule module) {
        var host = new WasiHost(java.util.Map.of(), _ -> {});
        var limits = new CoreLimits(DEADLINE, CoreLimits.DEFAULTS.memoryBytes());
        try (var engines = new Engines(module, host, limits, 1)) {
            return engines.run(WasmCores::abiOf);
        }
    }

    private static int pages(WasmModule module) {
        return module.memorySection()
                .filter(section -> section.memoryCount() > 0)
                .map(section -> section.getMemory(0).limits().initialPages())
                .orElse(0);
    }

    private static List<String> imports(WasmModule module) {
        return module.importSection().stream()
                .map(i -> i.module() + "." + i.name() + " " + i.importType())
                .toList();
    }

    private static List<String> exports(WasmModule module) {
        var lines = new ArrayList<String>();
        int imported = module.importSection().count(ExternalType.FUNCTION);
        for (int i = 0; i < module.exportSection().exportCount(); i++) {
            var export = module.exportSection().getExport(i);
            if (export.exportType() == ExternalType.FUNCTION && export.index() >= imported) {
                FunctionType type =
                        module.functionSection()
                                .getFunctionType(export.index() - imported, module.typeSection());
                lines.add(export.name() + " " + type.params() + " -> " + type.returns());
            } else {
                lines.add(export.name() + " " + export.exportType());
            }
        }
        return lines.stream().sorted().toList();
    }
}
