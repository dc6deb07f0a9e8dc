package ai.hanzo.dev.host.core;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What {@code wasm/dev.wasm.lock} says: from which sources and by which tools the core was built,
 * and what came out. Written by {@code make -C wasm}. Immutable.
 *
 * @param output of the module
 * @param sizeBytes of the module
 * @param tools name → version or flags: {@code rustc}, {@code llvm}, {@code lld}, {@code flags}
 * @param sources path below {@code wasm/} → digest
 * @param because what may go over its bound, up to which value, and why
 */
public record CoreLock(
        CoreDigest output,
        long sizeBytes,
        Map<String, String> tools,
        SortedMap<String, CoreDigest> sources,
        List<Because> because) {

    /**
     * A line {@code because-NAME VALUE REASON}, written by hand and kept by {@code make -C wasm}.
     *
     * @param name of the bound: {@code size} in bytes or {@code pages}
     * @param value up to which it excuses; what grows further needs a new reason
     */
    public record Because(String name, long value, String reason) {
        static final String PREFIX = "because-";
        private static final Set<String> NAMES = Set.of("size", "pages");
        private static final Pattern FORM = Pattern.compile("because-(\\w+) (\\d{1,12}) (.*\\S.*)");

        static Because parse(String line) {
            Matcher form = FORM.matcher(line);
            if (!form.matches() || !NAMES.contains(form.group(1))) {
                throw new IllegalArgumentException(
                        "a line that is not 'because-size BYTES REASON' or 'because-pages PAGES"
                                + " REASON': "
                                + line);
            }
            return new Because(form.group(1), Long.parseLong(form.group(2)), form.group(3));
        }
    }

    public CoreLock {
        tools = Map.copyOf(tools);
        sources = new TreeMap<>(sources);
        because = List.copyOf(because);
    }

    /** The lock of the core that is built into this host. */
    static CoreLock builtIn() {
        return parse(new String(WasmCores.resource("dev.wasm.lock"), StandardCharsets.UTF_8));
    }

    /**
     * Reads a lock.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static CoreLock parse(String text) {
        CoreDigest output = null;
        long sizeBytes = 0;
        var tools = new TreeMap<String, String>();
        var sources = new TreeMap<String, CoreDigest>();
        var reasons = new ArrayList<Because>();
        for (String line : text.lines().toList()) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] words = line.split(" ", 2);
            String rest = words.length > 1 ? words[1] : "";
            switch (words[0]) {
                case "output" -> {
                    String[] parts = pair(line, rest);
                    output = new CoreDigest(parts[0]);
                    sizeBytes = Long.parseLong(parts[1]);
                }
                case "source" -> {
                    String[] parts = pair(line, rest);
                    sources.put(parts[1], new CoreDigest(parts[0]));
                }
                case String because when because.startsWith("because") ->
                        reasons.add(Because.parse(line));
                default -> tools.put(words[0], rest);
            }
        }
        if (output == null) {
            throw new IllegalArgumentException("the lock names no output");
        }
        return new CoreLock(output, sizeBytes, tools, sources, reasons);
    }

    /** Whether {@code value} is at most {@code bound}, or excused. */
    boolean allows(String name, long value, long bound) {
        return value <= bound
                || because.stream().anyMatch(b -> b.name().equals(name) && value <= b.value());
    }

    private static String[] pair(String line, String rest) {
        String[] parts = rest.split(" ", 2);
        if (parts.length != 2) {
            throw new IllegalArgumentException("a line that cannot be read: " + line);
        }
        return parts;
    }

    /** What in {@code wasm/} is not as this lock says; empty if all is. */
    public List<String> differences(Path wasm) throws IOException {
        var found = new ArrayList<String>();
        CoreDigest module = CoreDigest.of(Files.readAllBytes(wasm.resolve("dev.wasm")));
        if (!module.equals(output)) {
            found.add("dev.wasm is " + module + ", the lock says " + output);
        }
        var present = new TreeMap<String, CoreDigest>();
        try (Stream<Path> files = Files.list(wasm.resolve("core/src"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".rs")).toList()) {
                present.put("core/src/" + file.getFileName(), digest(file));
            }
        }
        present.put("link.sh", digest(wasm.resolve("link.sh")));
        for (var source : present.entrySet()) {
            CoreDigest locked = sources.get(source.getKey());
            if (!source.getValue().equals(locked)) {
                found.add(source.getKey() + " has changed since dev.wasm was built");
            }
        }
        sources.keySet().stream()
                .filter(name -> !present.containsKey(name))
                .forEach(name -> found.add(name + " is in the lock but gone"));
        return found;
    }

    private static CoreDigest digest(Path file) throws IOException {
        return CoreDigest.of(Files.readAllBytes(file));
    }
}
