package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.core.CoreLimits;
import ai.hanzo.dev.host.core.NativeCores;
import ai.hanzo.dev.host.core.WasmCores;
import ai.hanzo.dev.protocol.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The engines that are on this machine, and why the others are not. One thread. */
final class Peers implements AutoCloseable {
    private final List<Engine> engines = new ArrayList<>();
    private final List<String> absent = new ArrayList<>();

    /**
     * Finds and starts them.
     *
     * @param home the folder of the project
     * @param folder where files for the peers may be written
     */
    static Peers start(Path home, Path folder, Map<Integer, Conversation> conversations)
            throws IOException {
        writeScripts(folder, conversations);
        var peers = new Peers();
        peers.engines.add(
                new CoresEngine("wasm, JVM", new WasmCores(CoreLimits.DEFAULTS), conversations));
        Path module = home.resolve("wasm/dev.wasm");
        Path library = home.resolve("wasm/build/libdev.so");
        Path binary = folder.resolve("peer");
        if (Files.exists(library)) {
            peers.engines.add(
                    new CoresEngine("native, JVM", new NativeCores(library), conversations));
        } else {
            peers.absent.add("native in the JVM (no wasm/build/libdev.so: make -C wasm native)");
        }
        if (Files.exists(library) && Files.isExecutable(binary)) {
            peers.add("native", List.of(binary.toString(), library.toString(), folder.toString()));
        } else {
            peers.absent.add("native in a process of its own (no libdev.so, or no gcc)");
        }
        Optional<Path> node = onPath("node");
        if (node.isPresent()) {
            String script = home.resolve("bench/src/main/peer/peer.mjs").toString();
            peers.add(
                    "V8",
                    List.of(node.get().toString(), script, module.toString(), folder.toString()));
        } else {
            peers.absent.add("V8 (no node)");
        }
        Path graal = folder.resolve("graal");
        if (Files.isDirectory(graal)) {
            String program = home.resolve("bench/src/main/peer/graal/GraalPeer.java").toString();
            peers.add("GraalWasm", graal(graal, program, module, folder));
        } else {
            peers.absent.add("GraalWasm (could not be fetched)");
        }
        peers.absent.add(
                onPath("go").isPresent()
                        ? "wazero (Go is here, but no program of ours speaks to it)"
                        : "wazero (no Go)");
        return peers;
    }

    private static List<String> graal(Path libraries, String program, Path module, Path scripts) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "--class-path",
                libraries + "/*",
                program,
                module.toString(),
                scripts.toString());
    }

    private void add(String name, List<String> command) {
        engines.add(new PeerEngine(name, command));
    }

    List<Engine> engines() {
        return engines;
    }

    List<String> absent() {
        return absent;
    }

    private static Optional<Path> onPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        for (String folder : path.split(java.io.File.pathSeparator, -1)) {
            Path file = Path.of(folder).resolve(program);
            if (Files.isExecutable(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /** A script is Config, state and events, each behind its length as u32. */
    private static void writeScripts(Path folder, Map<Integer, Conversation> conversations)
            throws IOException {
        Files.createDirectories(folder);
        for (var entry : conversations.entrySet()) {
            var bytes = new ByteArrayOutputStream();
            Conversation conversation = entry.getValue();
            part(bytes, conversation.config());
            part(bytes, conversation.state());
            for (Bytes event : conversation.turn()) {
                part(bytes, event);
            }
            Files.write(folder.resolve(entry.getKey() + ".script"), bytes.toByteArray());
        }
    }

    private static void part(ByteArrayOutputStream out, Bytes bytes) {
        byte[] length =
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(bytes.length())
                        .array();
        out.writeBytes(length);
        out.writeBytes(bytes.toArray());
    }

    @Override
    public void close() {
        engines.forEach(Engine::close);
    }
}
