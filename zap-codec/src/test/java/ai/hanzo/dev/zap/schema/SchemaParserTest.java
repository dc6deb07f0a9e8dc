package ai.hanzo.dev.zap.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaParserTest {

    private static Schema parse(String source) {
        return SchemaParser.parse("a.zap", source);
    }

    @Test
    void aStructHasItsFieldsInOrderAndTheSizeOfItsLastSlot() {
        Schema schema =
                parse(
                        """
                        package a
                        dialect shape
                        struct Point {   # a comment
                          x i32 @0
                          name text @8 y f64 @16
                        }
                        """);

        assertThat(schema.struct("Point"))
                .isEqualTo(
                        new StructDef(
                                "Point",
                                List.of(
                                        new FieldDef("x", Scalar.I32, 0, 4),
                                        new FieldDef("name", Type.Run.TEXT, 8, 5),
                                        new FieldDef("y", Scalar.F64, 16, 5)),
                                24,
                                3));
        assertThat(schema.struct("Point").hasTail()).isTrue();
    }

    @Test
    void theWhitespaceFormLaysFieldsOneBehindTheOtherWithoutAlignment() {
        Schema schema =
                parse(
                        """
                        package a
                        dialect head
                        struct Packed
                          flag bool

                          # a comment between
                          count u32
                          id bytes_fixed[3] @16
                          next Packed
                        struct Braced { a u8 @3 }
                        interface Calls
                          go(p: Packed) returns (r: Braced)
                          stop()
                        """);

        assertThat(schema.struct("Packed").fields().stream().map(FieldDef::offset))
                .containsExactly(0, 1, 16, 19);
        assertThat(schema.struct("Packed").sizeBytes()).isEqualTo(23);
        assertThat(schema.struct("Braced").sizeBytes()).isEqualTo(4);
        assertThat(schema.interfaces().getFirst().methods())
                .containsExactly(
                        new InterfaceDef.Method(
                                "go", 1, Optional.of("Packed"), Optional.of("Braced"), 12),
                        new InterfaceDef.Method("stop", 2, Optional.empty(), Optional.empty(), 13));
    }

    @Test
    void anAliasMayBeUsedBeforeItIsDeclaredAndMayNameAnother() {
        Schema schema =
                parse(
                        """
                        package a
                        dialect head
                        struct S
                          digest Hash
                          after u8
                        type Hash = Thirty
                        type Thirty = bytes_fixed[30]
                        """);

        assertThat(schema.struct("S").fields())
                .containsExactly(
                        new FieldDef("digest", new Type.FixedBytes(30), 0, 4),
                        new FieldDef("after", Scalar.U8, 30, 5));
    }

    @Test
    void wordsOfTheLanguageMayNameFields() {
        Schema schema =
                parse("package a dialect shape struct S { text text @0 struct u8 @8 list u8 @9 }");

        assertThat(schema.struct("S").fields().stream().map(FieldDef::name))
                .containsExactly("text", "struct", "list");
    }

    @Test
    void anEnumIsATwoByteNumberAndListsAreShapedByTheirElements() {
        Schema schema =
                parse(
                        """
                        package a
                        dialect shape
                        enum Kind { one = 1 two = 65535 }
                        struct Flat { kind Kind @0 n u64 @2 }
                        struct Tail { t text @0 }
                        struct Lists {
                          a list<u16> @0
                          b list<Kind> @8
                          c list<bytes_fixed[5]> @16
                          d list<Flat> @24
                          e list<Tail> @32
                        }
                        """);

        assertThat(schema.enumOf("Kind").values())
                .containsExactly(
                        new EnumDef.Value("one", 1, 3), new EnumDef.Value("two", 65535, 3));
        List<Type> elements =
                schema.struct("Lists").fields().stream()
                        .map(f -> ((Type.ListOf) f.type()).element())
                        .toList();
        assertThat(elements.stream().map(schema::shapeOf))
                .containsExactly(
                        ListShape.PACKED,
                        ListShape.PACKED,
                        ListShape.FIXED,
                        ListShape.INLINE,
                        ListShape.POINTERS);
        assertThat(elements.stream().map(schema::strideOf)).containsExactly(2, 2, 5, 10, 4);
    }

    @Test
    void aStructMayStateALargerSize() {
        assertThat(
                        parse("package a dialect shape struct S @12 { a u8 @0 }")
                                .struct("S")
                                .sizeBytes())
                .isEqualTo(12);
    }

    @Test
    void aFileWithoutADialectIsReadInTheOneThatIsAssumed() {
        String source = "package a struct S { l list<text> @0 }";

        assertThat(SchemaParser.parse("a.zap", source, Dialect.HEAD).dialect())
                .isEqualTo(Dialect.HEAD);
        assertThatThrownBy(() -> parse(source)).hasMessageContaining("a.zap:1: no dialect");
    }

    /** Lines are parted by semicolons. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | overlaps a | package a dialect shape struct S { a u32 @0;b u8 @3 }",
                "1 | overlaps b | package a dialect shape struct S { a u32 @4 b u64 @0 }",
                "2 | no type Missing | package a dialect shape;struct S { a Missing @0 }",
                "2 | no type Missing | package a dialect shape;struct S { a list<Missing> @0 }",
                "3 | no type Missing | package a dialect shape;struct S { a u8 @0 };type B = Missing",
                "3 | declared twice | package a dialect shape;struct S { a u8 @0 };struct S { a u8 @0 }",
                "3 | declared twice | package a dialect shape;struct S { a u8 @0 };enum S { a = 1 }",
                "3 | declared twice | package a dialect shape;type B = u8;type B = u16",
                "3 | S.a is declared twice | package a dialect shape;struct S { a u8 @0;a u8 @1 }",
                "3 | differ only in case | package a dialect shape;struct S { ab u8 @0;aB u8 @1 }",
                "3 | differ only in case | package a dialect shape;struct S { ab u8 @0;a_b u8 @1 }",
                "3 | differ only in case | package a dialect shape;struct S { a u8 @0 };enum s { a = 1 }",
                "3 | differ only in case | package a dialect shape;enum E { a = 1;A = 2 }",
                "2 | _ is no name | package a dialect shape;struct S { _ u8 @0 }",
                "2 | __ is no name | package a dialect shape;struct __ { a u8 @0 }",
                "2 | has no fields | package a dialect shape;struct S { }",
                "2 | has no fields | package a dialect shape;struct S;struct B { a u8 @0 }",
                "2 | above the limit | package a dialect shape;struct S { a u8 @3000000000 }",
                "2 | above the limit | package a dialect shape;struct S { a u8 @1048577 }",
                "2 | above the limit | package a dialect shape;struct S { a u8 @1048576 }",
                "2 | above the limit | package a dialect shape;struct S { a bytes_fixed[1048577] @0 }",
                "2 | no element stride | package a dialect shape;struct S { a list<text> @0 }",
                "2 | no element stride | package a dialect shape;struct S { a list<bytes> @0 }",
                "2 | no element stride | package a dialect shape;struct S { a list<list<u8>> @0 }",
                "2 | length above 0 | package a dialect shape;struct S { a bytes_fixed[0] @0 }",
                "2 | is missing for line 2 | package a dialect shape;struct S { a u8 @0",
                "2 | expected '@' | package a dialect shape;struct S { a u8 }",
                "2 | defined by itself | package a dialect shape;type B = list<B>",
                "2 | defined by itself | package a dialect shape;type B = C;type C = B",
                "2 | not in 1..65535 | package a dialect shape;enum E { a = 0 }",
                "2 | not in 1..65535 | package a dialect shape;enum E { a = 65536 }",
                "3 | has the number 1 | package a dialect shape;enum E { a = 1;b = 1 }",
                "3 | E.a is declared twice | package a dialect shape;enum E { a = 1;a = 2 }",
                "2 | has no values | package a dialect shape;enum E { }",
                "2 | has no methods | package a dialect shape;interface I { }",
                "2 | not a struct | package a dialect shape;interface I { go(x: u8) }",
                "2 | not a struct | package a dialect shape;interface I { go(x: Nothing) }",
                "3 | I.go is declared twice | package a dialect shape;interface I { go();go() }",
                "2 | one struct | package a dialect shape;interface I { go(x: A y: B) }",
                "2 | unexpected character '$' | package a dialect shape;struct S$ { }",
                "2 | word of the language | package a dialect shape;struct text { a u8 @0 }",
                "2 | second dialect | package a dialect shape;dialect head",
                "2 | second package | package a dialect shape;package b",
                "1 | shape or head | package a dialect other",
                "1 | expected 'package' | struct S { a u8 @0 }",
                "2 | expected struct | package a dialect shape;import b",
                "2 | but its fields end | package a dialect shape;struct S @3 { a u32 @0 }",
                "3 | end of the line | package a dialect shape;struct S;  a u8 b u8",
            })
    void aBadSchemaIsRefusedWithItsLine(int line, String what, String source) {
        assertThatThrownBy(() -> parse(source.replace(';', '\n')))
                .isInstanceOf(SchemaException.class)
                .hasMessageStartingWith("a.zap:" + line + ": ")
                .hasMessageContaining(what);
    }

    @Test
    void listsNestedTooDeepAreRefusedAndDoNotOverflowTheStack() {
        String type = "list<".repeat(5000) + "u8" + ">".repeat(5000);

        assertThatThrownBy(() -> parse("package a dialect head struct S { a " + type + " @0 }"))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("nested more than 16 deep");
    }
}
