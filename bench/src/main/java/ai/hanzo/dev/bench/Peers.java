package ai.hanzo.dev.bench;

import java.io.IOException;
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
        Files.createDirectories(folder);
        for (var entry : conversations.entrySet()) {
            Script.write(Script.file(folder, entry.getKey()), entry.getValue());
        }
        var peers = new Peers();
        peers.add("wasm, JVM", jvm(folder.toString()));
        Path module = home.resolve("wasm/dev.wasm");
        Path library = home.resolve("wasm/build/libdev.so");
        Path binary = folder.resolve("peer");
        if (Files.exists(library)) {
            peers.add("native, JVM", jvm(folder.toString(), library.toString()));
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

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin/java").toString();
    }

    /** The core alone in a JVM, with the options of a host that matter here. */
    private static List<String> jvm(String... arguments) {
        var command =
                new ArrayList<String>(
                        List.of(
                                java(),
                                "-XX:+UseSerialGC",
                                "-Xms512m",
                                "-Xmx512m",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "--class-path",
                                System.getProperty("java.class.path"),
                                CoreProcess.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static List<String> graal(Path libraries, String program, Path module, Path scripts) {
        return List.of(
                java(),
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

    @Override
    public void close() {
        engines.forEach(Engine::close);
    }
}
