package ai.hanzo.dev.zap;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs files of test vectors, one JSON object a line, valid and malformed ones in any order. Prints
 * each failure with the name of its vector, then {@code N passed, M failed}; exits 1 on any
 * failure.
 */
public final class VectorRunner {
    private int passed;
    private final List<String> failures = new ArrayList<>();

    /** Runs the files and exits; 2 if none is named. */
    public static void main(String... files) {
        if (files.length == 0) {
            System.err.println("usage: VectorRunner FILE.jsonl ...");
            System.exit(2);
        }
        var runner = new VectorRunner();
        for (String file : files) {
            runner.run(Path.of(file));
        }
        System.exit(runner.report(System.out));
    }

    void run(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            failures.add("FAILED " + file + ": cannot be read: " + e.getMessage());
            return;
        }
        if (lines.stream().allMatch(String::isBlank)) {
            failures.add("FAILED " + file + ": there is no vector in it");
        }
        int number = 0;
        for (String line : lines) {
            number++;
            if (!line.isBlank()) {
                runLine(file + ":" + number, line);
            }
        }
    }

    void runLine(String place, String line) {
        String name = place;
        try {
            Map<String, Object> vector = Json.object(line);
            name = String.valueOf(vector.getOrDefault("name", place));
            if (vector.containsKey("kind")) {
                new MalformedVector(vector).check();
            } else {
                new ValidVector(vector).check();
            }
            passed++;
        } catch (VectorFailure e) {
            failures.add("FAILED " + name + ": " + e.getMessage());
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            // Anything else is a failure too, and must not hide the vectors that follow.
            failures.add("FAILED " + name + ": " + e);
        }
    }

    int passed() {
        return passed;
    }

    List<String> failures() {
        return failures;
    }

    int report(PrintStream out) {
        failures.forEach(out::println);
        out.println(passed + " passed, " + failures.size() + " failed");
        return failures.isEmpty() ? 0 : 1;
    }

    /** What a vector expects and did not get. */
    static final class VectorFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        VectorFailure(String what) {
            super(what);
        }

        static void unless(boolean isGood, String what) {
            if (!isGood) {
                throw new VectorFailure(what);
            }
        }

        static void unlessEqual(Object expected, Object found, String what) {
            if (!expected.equals(found)) {
                throw new VectorFailure(what + ": expected " + expected + ", found " + found);
            }
        }
    }
}
