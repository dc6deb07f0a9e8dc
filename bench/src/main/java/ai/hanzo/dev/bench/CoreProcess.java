package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.core.CoreLimits;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.core.NativeCores;
import ai.hanzo.dev.host.core.WasmCores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A JVM that runs the core in one engine and nothing else, as a host does: what a JIT compiler has
 * seen of another engine makes the code slower. It reads the same commands as the other peers,
 * {@code step 20 1200}, and answers the nanoseconds of the thread's CPU and those that passed.
 */
public final class CoreProcess {
    private CoreProcess() {}

    /** The folder of the scripts, and the library of the native build if that is to run. */
    public static void main(String... arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Cores cores =
                arguments.length == 1
                        ? new WasmCores(CoreLimits.DEFAULTS)
                        : new NativeCores(Path.of(arguments[1]));
        Map<Integer, Conversation> conversations = new HashMap<>();
        for (Measure measure : Measure.ALL) {
            int messages = measure.messages();
            conversations.put(messages, Script.read(Script.file(folder, messages)));
        }
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (var engine = new CoresEngine("", cores, conversations)) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                Engine.Batch batch = engine.batch(Measure.parse(line));
                System.out.println(batch.cpuNanos() + " " + batch.wallNanos());
            }
        }
    }
}
