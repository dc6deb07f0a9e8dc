package ai.hanzo.dev.host.core;

import com.dylibso.chicory.runtime.InterpreterMachine;
import com.dylibso.chicory.wasm.Parser;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A core as a former release may have had it: {@code dev.wasm} in which one sentence is another, so
 * that what it makes of a path outside of the workspace is not what the current one makes of it.
 * Runs in the interpreter.
 */
public final class FormerCore {
    private static final CoreLimits PATIENT =
            new CoreLimits(Duration.ofSeconds(30), CoreLimits.DEFAULTS.memoryBytes());

    /** What the current core says of such a path. */
    public static final String NOW = "leaves the workspace";

    /** What this one says of it. */
    public static final String THEN = "is not the workspace";

    private FormerCore() {}

    /** That core alone. */
    public static Cores cores() {
        byte[] wasm = withAnotherSentence(WasmCores.resource("dev.wasm"));
        return new WasmCores(
                new CoreModule(CoreDigest.of(wasm), Parser.parse(wasm), InterpreterMachine::new),
                PATIENT,
                2,
                _ -> {});
    }

    /** The core of this release, and that one beside it. */
    public static Cores besideTheCurrent() {
        return new CoreShelf(new WasmCores(CoreLimits.DEFAULTS), java.util.List.of(cores()));
    }

    private static byte[] withAnotherSentence(byte[] wasm) {
        String module = new String(wasm, StandardCharsets.ISO_8859_1);
        int at = module.indexOf(NOW);
        if (at < 0 || module.indexOf(NOW, at + 1) >= 0 || NOW.length() != THEN.length()) {
            throw new IllegalStateException("dev.wasm does not say once: " + NOW);
        }
        return module.replace(NOW, THEN).getBytes(StandardCharsets.ISO_8859_1);
    }
}
