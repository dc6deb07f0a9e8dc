package ai.hanzo.dev.zap.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Words that a language, its library or our generated code means something by, each as a field of
 * every type, an enum and a struct: what an emitter accepts, the compiler of its language accepts.
 */
final class EveryWordTest {
    private static final Path CORE = Path.of("../wasm/core/src");
    private static final Path CELL = Path.of("../native/landlock/src");

    private static final List<String> WORDS =
            words(
                    // Java
                    "abstract assert boolean break byte case catch char class const continue"
                            + " default do double else enum extends final finally float for goto if"
                            + " implements import instanceof int interface long native new package"
                            + " private protected public return short static strictfp super switch"
                            + " synchronized this throw throws transient try void volatile while"
                            + " true false null exports module non open opens permits provides"
                            + " record requires sealed to transitive uses var when with yield"
                            + " String Object List Override Math Float Double Integer Long Byte"
                            + " StringBuilder System Throwable Record Enum Iterable ZapReader"
                            + " ZapWriter ZapArray Layout Kind Slot Validator EntryCursor"
                            + " CodecException Mode NULL START LAYOUT hashCode equals toString"
                            + " getClass notify notifyAll wait clone finalize isNull position"
                            + " reader at on valueOf values ordinal name number of write writeAt"
                            + " writer toMessage endFrom array pos from end before value entry"
                            + " index into inner child run object message written cell java ai",
                    // Rust
                    "as async await auto become box crate dyn extern fn impl in let loop macro"
                            + " match mod move mut override priv pub ref self Self struct trait"
                            + " type typeof unsafe unsized use virtual where union raw safe gen"
                            + " macro_rules core std alloc zap Option Some None Ok Err Result Vec"
                            + " Box Send Sync Drop Copy Clone Default Debug Eq str usize isize"
                            + " i128 u128 w v i start SIZE size count list View Writer Desc Tail"
                            + " Pointer Numbers Records Pointers derive inline dead_code test",
                    // C
                    "asm auto extern register restrict signed sizeof struct typedef union unsigned"
                            + " linux unix i386 errno stdin main printf memcpy memset abort exit"
                            + " malloc size_t int8_t uint8 uint32_t o p n l b u32at fields type"
                            + " SIZE_MAX EOF INT8 int8 _Bool _Static_assert __linux__ __builtin"
                            + " NDEBUG offsetof generic noreturn alignas static_assert thread_local"
                            + " nullptr constexpr typeof_unqual wchar_t ptrdiff max min");

    @TempDir private Path folder = Path.of("/");

    /** Those that are written alike but for case and underscores are refused by themselves. */
    private static List<String> words(String... lists) {
        var words = new HashMap<String, String>();
        for (String word : List.of(String.join(" ", lists).split(" "))) {
            words.putIfAbsent(Identifiers.folded(word), word);
        }
        return words.values().stream().sorted().toList();
    }

    private static Schema parse(String source, Dialect dialect) {
        String named = dialect == Dialect.SHAPE ? "shape" : "head";
        return SchemaParser.parse("a.zap", "package a dialect " + named + "\n" + source);
    }

    private interface Emission {
        Map<String, String> of(Schema schema);
    }

    private static boolean isAccepted(Runnable emission) {
        try {
            emission.run();
            return true;
        } catch (SchemaException e) {
            assertThat(e).hasMessageStartingWith("a.zap:");
            return false;
        }
    }

    private static final String COMMON =
            """
            enum ZzE { a = 1 }
            struct ZzS { a u8 @0 }
            struct ZzP { a bytes @0 }
            struct ZzX { a text @0 }
            """;

    private static List<String> types(Dialect dialect) {
        var types = new ArrayList<String>();
        types.addAll(List.of("bool", "u64", "i8", "f32", "text", "bytes", "bytes_fixed[3]", "ZzE"));
        types.addAll(List.of("ZzS", "list<ZzS>", "list<ZzP>"));
        types.addAll(
                dialect == Dialect.SHAPE
                        ? List.of("list<ZzX>", "list<u8>", "list<ZzE>", "list<bytes_fixed[3]>")
                        : List.of("list<text>", "list<bytes>"));
        return types;
    }

    /**
     * Those of the words that are accepted beside {@code taken} and those before them: as many at
     * once as are, and half as many where one of them is not.
     */
    private static List<String> taken(
            List<String> taken, List<String> words, Predicate<List<String>> isAccepted) {
        List<String> all = Stream.concat(taken.stream(), words.stream()).toList();
        if (isAccepted.test(all)) {
            return all;
        }
        if (words.size() == 1) {
            return taken;
        }
        int half = words.size() / 2;
        List<String> first = taken(taken, words.subList(0, half), isAccepted);
        return taken(first, words.subList(half, words.size()), isAccepted);
    }

    private static String struct(int number, String type, List<String> words) {
        var fields = new StringBuilder("struct ZzT" + number + " {");
        for (int i = 0; i < words.size(); i++) {
            fields.append(" %s %s @%d".formatted(words.get(i), type, 16 * i));
        }
        return fields.append(" }\n").toString();
    }

    private static String declarations(String kind, List<String> words) {
        String user = "struct ZzU# { a # @0 b list<#> @4 c u8 @12 }\n";
        return words.stream()
                .map(word -> (kind + user).replace("#", word))
                .collect(Collectors.joining());
    }

    /** A schema of all that the emission accepts. */
    private static Schema accepted(Dialect dialect, Emission emission) {
        Predicate<String> isFine =
                source -> isAccepted(() -> emission.of(parse(COMMON + source, dialect)));
        var fields = new StringBuilder();
        List<String> types = types(dialect);
        for (int i = 0; i < types.size(); i++) {
            int number = i;
            String type = types.get(i);
            List<String> taken =
                    taken(List.of(), WORDS, words -> isFine.test(struct(number, type, words)));
            fields.append(struct(i, type, taken));
        }
        var names = new StringBuilder();
        for (String kind :
                List.of("enum # { a = 1 max = 2 t = 3 }\n", "struct # { a u8 @0 t bytes @4 }\n")) {
            String before = names.toString();
            List<String> taken =
                    taken(
                            List.of(),
                            WORDS,
                            words -> isFine.test(before + declarations(kind, words)));
            names.append(declarations(kind, taken));
        }
        assertThat(fields).contains(" wait u64 @", " child ZzS @");
        assertThat(names).contains("struct ZzUexit {");
        return parse(COMMON + fields + names, dialect);
    }

    @Test
    void whatJavaAcceptsCompiles() throws IOException {
        for (Dialect dialect : Dialect.values()) {
            Path out = Files.createDirectory(folder.resolve(dialect.name()));
            var command = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", out.toString()));
            command.addAll(List.of("-cp", System.getProperty("java.class.path")));
            var emitter = new JavaEmitter("g");
            for (var file : emitter.emit(accepted(dialect, emitter::emit)).entrySet()) {
                Path path = out.resolve(file.getKey());
                command.add(Files.writeString(path, file.getValue()).toString());
            }
            var said = new ByteArrayOutputStream();
            int result =
                    ToolProvider.getSystemJavaCompiler()
                            .run(null, said, said, command.toArray(String[]::new));
            assertThat(result).as(said.toString(StandardCharsets.UTF_8)).isZero();
        }
    }

    @Test
    void whatRustAcceptsCompiles() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/rustc")), "there is no rustc");
        var emitter = new RustEmitter();
        String made = emitter.emit(accepted(Dialect.SHAPE, emitter::emit)).get("");
        Files.writeString(folder.resolve("made.rs"), made);
        Files.copy(CORE.resolve("zap.rs"), folder.resolve("zap.rs"));
        Files.writeString(
                folder.resolve("lib.rs"),
                "#![allow(warnings)]\nextern crate alloc;\nmod zap;\nmod made;\n");
        run("/usr/bin/rustc --edition 2021 --crate-type lib --emit=metadata lib.rs");
    }

    @Test
    void whatCAcceptsCompilesAsGnuCToo() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no gcc");
        var emitter = new CEmitter(List.of());
        for (var file : emitter.emit(accepted(Dialect.SHAPE, emitter::emit)).entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
        for (String standard : List.of("c11", "gnu11")) {
            run(
                    "/usr/bin/gcc -std=%s -Wall -Werror -fsyntax-only -I %s a_zap.c"
                            .formatted(standard, CELL.toAbsolutePath().normalize()));
        }
    }

    private void run(String command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command.split(" "))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }
}
