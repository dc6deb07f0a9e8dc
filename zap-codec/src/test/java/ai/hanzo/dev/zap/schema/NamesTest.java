package ai.hanzo.dev.zap.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A schema whose names do not work in a language is refused with its line, or its code compiles.
 */
final class NamesTest {
    private static final Path CORE = Path.of("../wasm/core/src");
    private static final Path CELL = Path.of("../native/landlock/src");

    @TempDir Path folder;

    private static Schema parse(String source) {
        return SchemaParser.parse("a.zap", "package a dialect shape\n" + source.replace(';', '\n'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | the table of A | struct A { a u8 @0 }",
                "3 | the start of AbBuilder and Ab.start | struct Ab {;start u8 @0 }",
                "2 | Option would be Option | struct Option { a u8 @0 }",
                "2 | Self would be Self | struct Self { a u8 @0 }",
                "3 | AbBuilder | struct Ab { a u8 @0 };struct AbBuilder { a u8 @0 }",
                "4 | Ab.xs and Ab.xsAt | struct Ab {;xs list<Cd> @0;xsAt u8 @8 };struct Cd { a u8"
                        + " @0 }",
                "2 | child in Rust | struct child { a u8 @0 };struct Ab { all list<child> @0 }",
                "2 | count in Rust | struct count { a u8 @0 };struct Ab { all list<count> @0 }",
                "2 | Match would be match | enum Match { a = 1 };struct Ab { a Match @0 }",
            })
    void rustRefuses(int line, String what, String source) {
        assertThatThrownBy(() -> new RustEmitter().emit(parse(source)))
                .isInstanceOf(SchemaException.class)
                .hasMessageStartingWith("a.zap:" + line + ": ")
                .hasMessageContaining(what);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3 | the table of Ab and Ab.type | struct Ab {;type u8 @0 }",
                "3 | the fields of Ab and Ab.fields | struct Ab {;fields text @0 }",
                "4 | ab_set_b | struct Ab {;setB u8 @0;b u8 @1 }",
                "4 | ab_cd_e | struct Ab {;cdE u8 @0 };struct AbCd { e u8 @0 }",
                "2 | as the runtime's own names | struct ZapRun { a u8 @0 }",
                "2 | asm would be asm | enum asm { a = 1 };struct Ab { a asm @0 }",
                "2 | false would be false | enum false { a = 1 };struct Ab { a false @0 }",
                "2 | linux would be linux | enum linux { a = 1 };struct Ab { a linux @0 }",
                "2 | Size.max would be SIZE_MAX | enum Size { max = 1 }",
                "2 | Int8.t would be int8_t | struct Int8 { t u8 @0 }",
                "2 | as the runtime's own names | enum ZapType { a = 1 }",
                "2 | A.zapH would both be A_ZAP_H | enum A { zapH = 1 }",
                "2 | Int would be int | enum Int { a = 1 };struct Ab { a Int @0 }",
            })
    void cRefuses(int line, String what, String source) {
        assertThatThrownBy(() -> new CEmitter(List.of()).emit(parse(source)))
                .isInstanceOf(SchemaException.class)
                .hasMessageStartingWith("a.zap:" + line + ": ")
                .hasMessageContaining(what);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | class would be class | enum class { a = 1 };struct Ab { a class @0 }",
                "2 | List would be List | enum List { a = 1 };struct Ab { a list<List> @0 }",
                "4 | Ab.xs and Ab.xsCount | struct Ab {;xs list<u8> @0;xsCount u8 @8 }",
                "4 | Ab.x and Ab.hasX | struct Ab {;x text @0;hasX bool @8 }",
                "2 | the table of layouts and Layouts | enum Layouts { a = 1 }",
                "3 | AbView | struct Ab { a u8 @0 };enum AbView { a = 1 }",
            })
    void javaRefuses(int line, String what, String source) {
        assertThatThrownBy(() -> new JavaEmitter("a").emit(parse(source)))
                .isInstanceOf(SchemaException.class)
                .hasMessageStartingWith("a.zap:" + line + ": ")
                .hasMessageContaining(what);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "struct Ab { type u8 @0 crate u8 @1 self u8 @2 union text @4 async Cd @12 };"
                        + "struct Cd { try list<u32> @0 }",
                "struct Node { next Node @0 value u8 @4 }",
                "struct Node { all list<Node> @0 }",
                "struct One { other Two @0 };struct Two { all list<One> @0 }",
                "struct Ab { size u8 @0 sizeOf u16 @1 view text @4 at f64 @12 w i64 @20 }",
                "struct Ab { v bytes_fixed[3] @0 child Cd @4 list list<Cd> @8 };struct Cd { o u8 @0"
                        + " }",
            })
    void whatRustTakesCompiles(String source) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/rustc")), "there is no rustc");
        String rust = new RustEmitter().emit(parse(source)).get("");
        Files.writeString(folder.resolve("made.rs"), rust);
        Files.copy(CORE.resolve("zap.rs"), folder.resolve("zap.rs"));
        Files.writeString(
                folder.resolve("lib.rs"),
                "#![allow(dead_code)]\nextern crate alloc;\nmod zap;\nmod made;\n");
        run("/usr/bin/rustc --edition 2021 --crate-type lib --emit=metadata lib.rs");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "struct Ab { int u8 @0 crate u8 @1 self u8 @2 union text @4 async Cd @12 };"
                        + "struct Cd { try list<u32> @0 }",
                "struct Node { next Node @0 value u8 @4 }",
                "struct Node { all list<Node> @0 }",
                "struct One { other Two @0 };struct Two { all list<One> @0 }",
                "struct A { size u8 @0 sizeOf u16 @1 view text @4 w i64 @12 };enum E { of = 1 }",
                "struct Ab { v bytes_fixed[3] @0 child Cd @4 list list<Cd> @8 };struct Cd { o u8 @0"
                        + " }",
            })
    void whatCTakesCompiles(String source) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no gcc");
        SortedMap<String, String> files = new CEmitter(List.of()).emit(parse(source));
        for (var file : files.entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
        run(
                "/usr/bin/gcc -std=gnu11 -Wall -Werror -fsyntax-only -I "
                        + CELL.toAbsolutePath().normalize()
                        + " a_zap.c");
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
