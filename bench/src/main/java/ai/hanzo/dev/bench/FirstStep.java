package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.core.Core;
import ai.hanzo.dev.host.core.CoreLimits;
import ai.hanzo.dev.host.core.WasmCores;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A process that takes the first step of a session and ends. Its argument is a script as the peers
 * read it, which has the Config and the event as bytes; with {@code hello} it takes none.
 */
public final class FirstStep {
    private FirstStep() {}

    /** Says how many bytes of actions there were. */
    public static void main(String... arguments) throws IOException {
        if (arguments[0].equals("hello")) {
            System.out.println("hello");
            return;
        }
        // The snapshot is of no use to a first step.
        Conversation conversation = Script.read(Path.of(arguments[0]));
        try (WasmCores cores = new WasmCores(CoreLimits.DEFAULTS);
                Core core = cores.open(cores.current(), conversation.config())) {
            System.out.println(core.step(conversation.turn().getFirst()).length());
        }
    }
}
