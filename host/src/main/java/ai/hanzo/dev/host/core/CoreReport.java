package ai.hanzo.dev.host.core;

import com.dylibso.chicory.runtime.InterpreterMachine;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

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
        long pages,
        Optional<Integer> abi,
        List<String> imports,
        List<String> exports,
        String lockName,
        boolean isLocked,
        List<String> problems) {
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final int MOST_PROBLEMS = 20;

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
        ModuleSketch sketch = ModuleSketch.of(wasm);
        var problems = new ArrayList<>(sketch.problems());
        // What the sketch refuses is shown to no parser, and never run.
        Optional<Integer> abi =
                problems.isEmpty() ? ask(digest, wasm, problems::add) : Optional.empty();
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
                sketch.pages(),
                abi,
                sketch.imports(),
                sketch.exports(),
                lockName,
                lock.output().equals(digest) && lock.sizeBytes() == wasm.length,
                told(problems));
    }

    /** The ABI that the module answers; empty after a problem. */
    private static Optional<Integer> ask(
            CoreDigest digest, byte[] wasm, Consumer<String> problems) {
        try {
            WasmModule module = Parser.parse(wasm);
            return Optional.of(abiOf(new CoreModule(digest, module, InterpreterMachine::new)));
        } catch (CoreException e) {
            problems.accept(e.getMessage());
        } catch (ChicoryException e) {
            problems.accept("the module is not valid WebAssembly: " + e.getMessage());
        } catch (RuntimeException | StackOverflowError e) {
            // A parser that stumbles says as much of the module as one that refuses it.
            problems.accept(
                    "the module is not valid WebAssembly: reading it ended with "
                            + e.getClass().getSimpleName());
        }
        return Optional.empty();
    }

    private static List<String> told(List<String> problems) {
        if (problems.size() <= MOST_PROBLEMS) {
            return problems;
        }
        var told = new ArrayList<>(problems.subList(0, MOST_PROBLEMS));
        told.add("and " + (problems.size() - MOST_PROBLEMS) + " problems more");
        return told;
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
}
