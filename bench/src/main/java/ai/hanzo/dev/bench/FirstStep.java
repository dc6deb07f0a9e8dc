package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.core.Core;
import ai.hanzo.dev.host.core.CoreLimits;
import ai.hanzo.dev.host.core.WasmCores;
import ai.hanzo.dev.protocol.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
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
        byte[] script = Files.readAllBytes(Path.of(arguments[0]));
        ByteBuffer parts = ByteBuffer.wrap(script).order(ByteOrder.LITTLE_ENDIAN);
        Bytes config = part(parts);
        part(parts); // the snapshot, which a first step has no use for
        Bytes event = part(parts);
        try (WasmCores cores = new WasmCores(CoreLimits.DEFAULTS);
                Core core = cores.open(cores.current(), config)) {
            System.out.println(core.step(event).length());
        }
    }

    private static Bytes part(ByteBuffer parts) {
        var bytes = new byte[parts.getInt()];
        parts.get(bytes);
        return Bytes.wrap(bytes);
    }
}
