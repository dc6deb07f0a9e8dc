package ai.hanzo.dev.zap.schema;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The schema compiler as a command. Runs from source: {@code java Main.java SCHEMA …}.
 *
 * <p>Exits 0 if all is written or, with {@code --check}, up to date; 1 if the schema is refused, a
 * file cannot be written or is stale; 2 if the command line is wrong.
 */
public final class Main {
    private static final String USAGE =
            """
            usage: Main SCHEMA.zap [--java DIR --package NAME] [--rust FILE] [--c DIR [--roots A,B]] [--check]
              --java DIR      write Java under DIR, into the package given by --package
              --rust FILE     write one Rust file
              --c DIR         write one C header and one C source under DIR
              --roots A,B     with --c: only the structs named, and what they lead to
              --check         write nothing; fail if a file differs from what would be written
            """;

    private Main() {}

    /** Runs the command and exits. */
    public static void main(String... args) {
        System.exit(run(args));
    }

    /** Runs the command and answers its exit code. */
    static int run(String... args) {
        try {
            Command command = Command.of(args);
            String source = Files.readString(command.schema());
            command.write(SchemaParser.parse(command.schema().toString(), source));
            return 0;
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.print(USAGE);
            return 2;
        } catch (SchemaException e) {
            System.err.println(e.getMessage());
            return 1;
        } catch (CharacterCodingException e) {
            System.err.println("zap: the schema is not UTF-8 text");
            return 1;
        } catch (IOException e) {
            System.err.println("zap: cannot read or write " + e.getMessage());
            return 1;
        }
    }

    /** One language to write, and where. */
    private record Target(Emitter emitter, Path path) {}

    private record Command(Path schema, List<Target> targets, boolean isCheck) {

        static Command of(String... args) {
            Path schema = null;
            Path java = null;
            String packageName = null;
            Path c = null;
            Path rust = null;
            List<String> roots = List.of();
            boolean isCheck = false;
            var targets = new ArrayList<Target>();
            for (int i = 0; i < args.length; i++) {
                switch (args[i]) {
                    case "--check" -> isCheck = true;
                    case "--java" -> java = Path.of(value(args, ++i));
                    case "--package" -> packageName = packageName(value(args, ++i));
                    case "--rust" -> rust = Path.of(value(args, ++i));
                    case "--c" -> c = Path.of(value(args, ++i));
                    case "--roots" -> roots = List.of(value(args, ++i).split(","));
                    default -> {
                        if (args[i].startsWith("-") || schema != null) {
                            throw new IllegalArgumentException("zap: unexpected " + args[i]);
                        }
                        schema = Path.of(args[i]);
                    }
                }
            }
            if (schema == null) {
                throw new IllegalArgumentException("zap: no schema is named");
            }
            if ((java == null) != (packageName == null)) {
                throw new IllegalArgumentException("zap: --java and --package go together");
            }
            if (rust != null) {
                targets.add(new Target(new RustEmitter(roots), rust));
            }
            if (c != null) {
                targets.add(new Target(new CEmitter(roots), c));
            }
            if (java != null && packageName != null) {
                Path folder = java.resolve(packageName.replace('.', '/'));
                targets.add(new Target(new JavaEmitter(packageName), folder));
            }
            return new Command(schema, targets, isCheck);
        }

        private static String value(String[] args, int at) {
            if (at >= args.length) {
                throw new IllegalArgumentException("zap: " + args[at - 1] + " needs a value");
            }
            return args[at];
        }

        /** It becomes a folder, so it must be a name and no path. */
        private static String packageName(String given) {
            if (!given.matches("[a-zA-Z_][a-zA-Z0-9_]*(\\.[a-zA-Z_][a-zA-Z0-9_]*)*")) {
                throw new IllegalArgumentException("zap: '" + given + "' is no name of a package");
            }
            for (String word : List.of(given.split("\\."))) {
                if (!JavaEmitter.isPackageWord(word)) {
                    throw new IllegalArgumentException(
                            "zap: '%s' is no name of a package: %s is a word of Java"
                                    .formatted(given, word));
                }
            }
            return given;
        }

        void write(Schema parsed) throws IOException {
            for (Target target : targets) {
                SortedMap<String, String> files = target.emitter().emit(parsed);
                for (Map.Entry<String, String> file : files.entrySet()) {
                    Path path =
                            file.getKey().isEmpty()
                                    ? target.path()
                                    : target.path().resolve(file.getKey());
                    write(path, file.getValue());
                }
            }
        }

        private void write(Path path, String text) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            boolean isSame =
                    Files.isRegularFile(path) && Arrays.equals(Files.readAllBytes(path), bytes);
            if (isSame) {
                return;
            }
            if (isCheck) {
                throw new IOException(
                        path + ": it is not what " + schema + " gives; generate it again");
            }
            Path parent = path.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.write(path, bytes);
        }
    }
}
