package ai.hanzo.dev.zap.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.zap.EntryCursor;
import ai.hanzo.dev.zap.ZapReader;
import ai.hanzo.dev.zap.ZapWriter;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The emitted Java is compiled and used, in both dialects. */
class JavaEmitterTest {
    /** The struct of the vectors named zapgen: every type, in dialect head. */
    private static final String EVERYTHING =
            """
            package g
            dialect head
            struct Item { tag u32 @0 note text @4 }
            struct Everything {
              flag bool @0 a8 u8 @1 a16 u16 @2 a32 u32 @4 a64 u64 @8
              s8 i8 @16 s16 i16 @18 s32 i32 @20 s64 i64 @24
              f32 f32 @32 f64 f64 @40
              name text @48 blob bytes @56 id bytes_fixed[16] @64
              items list<Item> @80
              inner Item @88
            }
            """;

    private static final String SHAPES =
            """
            package g
            dialect shape
            enum Kind { one = 1 two = 2 }
            struct Pair { w u64 @0 i u32 @8 }
            struct Note { tag u32 @0 note text @4 }
            struct Word { value text @0 }
            struct Shapes {
              kind Kind @0
              pairs list<Pair> @2
              notes list<Note> @10
              words list<Word> @18
              kinds list<Kind> @26
              runs list<bytes_fixed[3]> @34
              flags list<bool> @42
              shorts list<i16> @50
              ints list<i32> @58
              floats list<f32> @66
              doubles list<f64> @74
              next Shapes @82
              default u8 @86
            }
            """;

    private static final Pattern HEX = Pattern.compile("\"hex\": *\"([0-9a-f]+)\"");

    @TempDir Path folder;

    @Test
    void headWritesWhatTheGoGeneratorWritesForZeros() throws Exception {
        Class<?> builder = compile(EVERYTHING, "Everything");

        byte[] message = message(builder.getConstructor().newInstance());

        // Vector g03: the empty list still pads the object of 92 bytes from 108 to 112.
        assertThat(HexFormat.of().formatHex(message))
                .isEqualTo("5a41500001000000" + "1000000070000000" + "00".repeat(96));
    }

    @Test
    void headWritesTheObjectThenListsThenTails() throws Exception {
        Class<?> everything = compile(EVERYTHING, "Everything");
        Object item = builder(everything, "Item");
        set(item, "tag", long.class, 7L);
        set(item, "note", String.class, "seven");
        Object all = everything.getConstructor().newInstance();
        set(all, "name", String.class, "kit");
        set(all, "blob", byte[].class, new byte[] {9, 8});
        set(all, "items", List.class, List.of(item));

        byte[] message = message(all);

        // As vector g02 has it: the list at 112, its one entry a message of 33 bytes, then the
        // tails.
        String hex = HexFormat.of().formatHex(message);
        String entry = "5a41500001000000100000002100000007000000080000000500000073657665" + "6e";
        assertThat(hex.substring(2 * 112)).isEqualTo("21000000" + entry + "6b6974" + "0908");
        Object view = open(everything, "EverythingView", message);
        assertThat(get(view, "name")).isEqualTo("kit");
        var cursor = (EntryCursor) get(view, "items");
        assertThat(cursor.next()).isTrue();
        Class<?> itemView = everything.getClassLoader().loadClass("g.ItemView");
        Object into =
                itemView.getConstructor(ZapReader.class, long.class)
                        .newInstance(ZapReader.empty(), ZapReader.NULL);
        Object read =
                view.getClass()
                        .getMethod("items", EntryCursor.class, itemView)
                        .invoke(view, cursor, into);
        assertThat(get(read, "note")).isEqualTo("seven");
        assertThat(cursor.next()).isFalse();
    }

    @Test
    void headReadsAnEmbeddedMessageInPlaceOfANestedStruct() throws Exception {
        Class<?> everything = compile(EVERYTHING, "Everything");
        String g02 = vector("g02-everything");

        Object view = open(everything, "EverythingView", HexFormat.of().parseHex(g02));

        Object inner = get(view, "inner");
        assertThat(get(inner, "tag")).isEqualTo(77L);
        assertThat(get(inner, "note")).isEqualTo("in");
    }

    @Test
    void shapeReadsBackEveryListThatItWrites() throws Exception {
        Class<?> shapes = compile(SHAPES, "Shapes");
        Class<?> kind = shapes.getClassLoader().loadClass("g.Kind");
        Object two = kind.getField("TWO").get(null);
        Object pair = builder(shapes, "Pair");
        set(pair, "w", long.class, -1L);
        set(pair, "i", long.class, 4294967295L);
        Object note = builder(shapes, "Note");
        set(note, "note", String.class, "n");
        Object all = shapes.getConstructor().newInstance();
        set(all, "kind", kind, two);
        set(all, "pairs", List.class, List.of(pair, pair));
        set(all, "notes", List.class, List.of(note));
        set(all, "words", List.class, List.of("a", "", "ö"));
        set(all, "kinds", List.class, List.of(two, two));
        set(all, "runs", List.class, List.of(new byte[] {1, 2, 3}));
        set(all, "flags", byte[].class, new byte[] {0, 1});
        set(all, "shorts", short[].class, new short[] {-2});
        set(all, "ints", int[].class, new int[] {-3});
        set(all, "floats", float[].class, new float[] {1.5f});
        set(all, "doubles", double[].class, new double[] {-2.5});
        set(all, "next", shapes, shapes.getConstructor().newInstance());
        set(all, "default_", int.class, 200);

        Object view = open(shapes, "ShapesView", message(all));

        assertThat(get(view, "kind")).isEqualTo(two);
        assertThat(get(view, "pairsCount")).isEqualTo(2);
        assertThat(get(at(view, "pairs", 1), "i")).isEqualTo(4294967295L);
        assertThat(get(at(view, "notes", 0), "note")).isEqualTo("n");
        assertThat(get(at(view, "words", 2), "value")).isEqualTo("ö");
        assertThat(get(at(view, "words", 1), "value")).isEqualTo("");
        assertThat(at(view, "kinds", 1)).isEqualTo(two);
        assertThat(at(view, "runs", 0)).isEqualTo(new byte[] {1, 2, 3});
        assertThat(at(view, "flags", 1)).isEqualTo(true);
        assertThat(at(view, "shorts", 0)).isEqualTo(-2);
        assertThat(at(view, "ints", 0)).isEqualTo(-3);
        assertThat(at(view, "floats", 0)).isEqualTo(1.5f);
        assertThat(at(view, "doubles", 0)).isEqualTo(-2.5);
        assertThat(get(view, "hasNext")).isEqualTo(true);
        assertThat(get(get(view, "next"), "hasNext")).isEqualTo(false);
        assertThat(get(view, "default_")).isEqualTo(200);
    }

    @Test
    void shapeWritesNothingForWhatIsEmpty() throws Exception {
        Class<?> shapes = compile(SHAPES, "Shapes");

        assertThat(message(shapes.getConstructor().newInstance())).hasSize(16 + 87);
    }

    /** The order of dialect shape, written out by hand: pointees, the object, its tails. */
    @Test
    void shapeFillsItsArrayWithWhatTheWriterWrites() throws Exception {
        Class<?> shapes = compile(SHAPES, "Shapes");
        for (String text : List.of("", "n", "ascii of more than thirty-two chars", "ö", "\uD800")) {
            assertThat(HexFormat.of().formatHex(message(filled(shapes, text))))
                    .isEqualTo(HexFormat.of().formatHex(written(text)));
        }
    }

    private static Object filled(Class<?> shapes, String text) throws Exception {
        Object pair = builder(shapes, "Pair");
        set(pair, "w", long.class, 5L);
        Object note = builder(shapes, "Note");
        set(note, "tag", long.class, 0xFFFF_FFFFL);
        set(note, "note", String.class, text);
        Object next = shapes.getConstructor().newInstance();
        set(next, "words", List.class, List.of(text, "b"));
        Object all = shapes.getConstructor().newInstance();
        set(all, "pairs", List.class, List.of(pair, pair));
        set(all, "notes", List.class, List.of(note, note));
        set(all, "runs", List.class, List.of(new byte[] {1, 2, 3}));
        set(all, "shorts", short[].class, new short[] {-2});
        set(all, "flags", byte[].class, new byte[] {1, 0, 1});
        set(all, "next", shapes, next);
        return all;
    }

    private static byte[] written(String text) {
        ZapWriter writer = ZapWriter.of(2);
        final int pairs = writer.startList();
        for (int i = 0; i < 2; i++) {
            int pair = writer.addRecord(12);
            writer.u64(pair, 0, 5);
            writer.finishRecord(pair);
        }
        writer.endList();
        int[] notes = new int[2];
        for (int i = 0; i < 2; i++) {
            notes[i] = writer.startObject(12);
            writer.u32(notes[i], 0, -1);
            writer.text(notes[i], 4, text);
            writer.finish(notes[i]);
        }
        final int cells = cells(writer, notes);
        final int runs = writer.startList();
        writer.addBytes(new byte[] {1, 2, 3});
        writer.endList();
        final int flags = writer.startList();
        writer.addBytes(new byte[] {1, 0, 1});
        writer.endList();
        final int shorts = writer.startList();
        writer.addU16(-2);
        writer.endList();
        int[] words = new int[2];
        for (int i = 0; i < 2; i++) {
            words[i] = writer.startObject(8);
            writer.text(words[i], 0, i == 0 ? text : "b");
            writer.finish(words[i]);
        }
        final int wordCells = cells(writer, words);
        int next = writer.startObject(87);
        writer.list(next, 18, wordCells, 2);
        writer.finish(next);
        int object = writer.startObject(87);
        writer.list(object, 2, pairs, 2);
        writer.list(object, 10, cells, 2);
        writer.list(object, 34, runs, 1);
        writer.list(object, 42, flags, 3);
        writer.list(object, 50, shorts, 1);
        writer.object(object, 82, next);
        writer.finishRoot(object);
        return writer.toByteArray();
    }

    private static int cells(ZapWriter writer, int... targets) {
        int cells = writer.startList();
        for (int target : targets) {
            writer.addPointer(target);
        }
        writer.endList();
        return cells;
    }

    @Test
    void anElementOfAnotherLengthThanItsSchemaSaysIsRefused() throws Exception {
        Class<?> shapes = compile(SHAPES, "Shapes");
        Object all = shapes.getConstructor().newInstance();
        set(all, "runs", List.class, List.of(new byte[] {1, 2}));

        assertThatThrownBy(() -> message(all))
                .hasCauseInstanceOf(IllegalArgumentException.class)
                .hasRootCauseMessage("an element of 2 bytes, not 3");
    }

    // ---------------------------------------------------------------------------------------

    private Class<?> compile(String source, String struct)
            throws IOException, ReflectiveOperationException {
        Schema schema = SchemaParser.parse("g.zap", source);
        var files = new ArrayList<String>();
        for (Map.Entry<String, String> file : new JavaEmitter("g").emit(schema).entrySet()) {
            Path path = folder.resolve(file.getKey());
            files.add(Files.writeString(path, file.getValue()).toString());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var arguments =
                new ArrayList<>(
                        List.of("-Xlint:all", "-Werror", "-proc:none", "-d", folder.toString()));
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
        arguments.add("-Xlint:-path");
        arguments.addAll(files);
        int result = compiler.run(null, null, null, arguments.toArray(String[]::new));
        assertThat(result).isZero();
        URL[] urls = {folder.toUri().toURL()};
        return new URLClassLoader(urls, getClass().getClassLoader())
                .loadClass("g." + struct + "Builder");
    }

    private static Object builder(Class<?> sibling, String struct)
            throws ReflectiveOperationException {
        return sibling.getClassLoader()
                .loadClass("g." + struct + "Builder")
                .getConstructor()
                .newInstance();
    }

    private static void set(Object builder, String field, Class<?> type, Object value)
            throws ReflectiveOperationException {
        builder.getClass().getMethod(field, type).invoke(builder, value);
    }

    private static byte[] message(Object builder) throws ReflectiveOperationException {
        return (byte[]) builder.getClass().getMethod("toMessage").invoke(builder);
    }

    private static Object open(Class<?> sibling, String view, byte[] message)
            throws ReflectiveOperationException {
        Class<?> type = sibling.getClassLoader().loadClass("g." + view);
        return type.getMethod("open", byte[].class).invoke(null, message);
    }

    private static Object get(Object view, String field) throws ReflectiveOperationException {
        return view.getClass().getMethod(field).invoke(view);
    }

    private static Object at(Object view, String field, int index)
            throws ReflectiveOperationException {
        return view.getClass().getMethod(field, int.class).invoke(view, index);
    }

    private static String vector(String name) throws IOException {
        Path file = Path.of("src/test/resources/vectors/zap-valid.jsonl");
        for (String line : Files.readAllLines(file)) {
            if (line.contains("\"" + name + "\"")) {
                Matcher hex = HEX.matcher(line);
                assertThat(hex.find()).isTrue();
                return hex.group(1);
            }
        }
        throw new IllegalStateException("no vector " + name);
    }
}
