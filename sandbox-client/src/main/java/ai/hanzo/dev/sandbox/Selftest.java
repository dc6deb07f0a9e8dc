package ai.hanzo.dev.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs {@code cell selftest} and reads what it prints: lines of {@code level NAME}, {@code landlock
 * N}, {@code +layer} and {@code -missing: why}, then a sentence.
 */
final class Selftest {
    private Selftest() {}

    static Enforced run() {
        return switch (CellBinary.run(List.of("cell", "selftest"))) {
            case NativeProcess.Ended(int _, String printed) ->
                    read(printed)
                            .orElseThrow(() ->
                                    CellException.unsupported(
                                            "The cell cannot test this machine: " + printed));
            case NativeProcess.NotRun(String why) ->
                    throw CellException.unsupported("The cell cannot be run: " + why);
        };
    }

    /** Empty when it is not the output of a self-test. */
    static Optional<Enforced> read(String printed) {
        Optional<Level> level = Optional.empty();
        int abi = 0;
        List<String> layers = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String line : printed.lines().toList()) {
            if (line.startsWith("level ")) {
                level = level(line.substring("level ".length()));
            } else if (line.matches("landlock \\d{1,4}")) {
                abi = Integer.parseInt(line.substring("landlock ".length()));
            } else if (line.startsWith("+")) {
                layers.add(line.substring(1));
            } else if (line.startsWith("-")) {
                missing.add(line.substring(1));
            }
        }
        int found = abi;
        return level.map(l -> new Enforced(l, found, layers, missing));
    }

    private static Optional<Level> level(String name) {
        return switch (name) {
            case "namespaces" -> Optional.of(Level.NAMESPACES);
            case "landlock+seccomp" -> Optional.of(Level.LANDLOCK);
            case "none" -> Optional.of(Level.NONE);
            default -> Optional.empty();
        };
    }
}
