package ai.hanzo.dev.zap.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Emits C11: a header of enums and inline accessors and a source of type tables, both named after
 * the schema's package. They stand on a small runtime, {@code zap.h}, which checks a whole message
 * against a table once; after that the accessors cannot fail. An absent struct answers zero.
 *
 * <p>Dialect shape only.
 */
final class CEmitter implements Emitter {
    /** The words of C11 (6.4.1) and GNU C that a lower-case name can be, and of C23. */
    private static final Set<String> KEYWORDS =
            Set.of(
                    ("alignas alignof asm auto bool break case char const constexpr continue"
                                    + " default do double else enum extern false float for goto if inline int"
                                    + " long nullptr register restrict return short signed sizeof static"
                                    + " static_assert struct switch thread_local true typedef typeof"
                                    + " typeof_unqual union unsigned void volatile while")
                            .split(" "));

    /**
     * What the headers or the compiler define: the predefined macros without underscores of GNU C
     * ({@code gcc -dM -E}), types and functions ({@code _t} belongs to POSIX), and bounds of
     * numbers.
     */
    private static final Pattern DEFINED =
            Pattern.compile(
                    "_.*|.*_t|linux|unix|i386|noreturn|offsetof|str(tok|error|coll|xfrm)_[rl]"
                            + "|(U?INT(8|16|32|64|MAX|PTR|_(LEAST|FAST)\\d+)|SIZE|SSIZE|PTRDIFF"
                            + "|WCHAR|WINT|SIG_ATOMIC)_(MAX|MIN|WIDTH|C)");

    private final List<String> roots;

    /**
     * @param roots the structs to emit, with all that they lead to; empty for the whole schema
     */
    CEmitter(List<String> roots) {
        this.roots = List.copyOf(roots);
    }

    @Override
    public SortedMap<String, String> emit(Schema schema) {
        if (schema.dialect() != Dialect.SHAPE) {
            throw new SchemaException(schema.file(), 1, "C is emitted for dialect shape only");
        }
        String unit = schema.packageName() + "_zap";
        var identifiers = new Identifiers(schema.file(), "C", KEYWORDS, DEFINED);
        var files = new TreeMap<String, String>();
        Schema part = roots.isEmpty() ? schema : reachable(schema);
        files.put(unit + ".h", header(part, unit, identifiers));
        files.put(unit + ".c", tables(part, unit));
        return files;
    }

    private Schema reachable(Schema schema) {
        var names = new HashSet<String>();
        roots.forEach(root -> follow(schema, new Type.StructRef(root), names));
        var structs = new ArrayList<>(schema.structs());
        structs.removeIf(s -> !names.contains(s.name()));
        var enums = new ArrayList<>(schema.enums());
        enums.removeIf(e -> !names.contains(e.name()));
        return new Schema(
                schema.file(), schema.packageName(), schema.dialect(), structs, enums, List.of());
    }

    private static void follow(Schema schema, Type type, Set<String> names) {
        switch (type) {
            case Type.EnumRef(String name) -> names.add(name);
            case Type.ListOf(Type element) -> follow(schema, element, names);
            case Type.StructRef(String name) -> {
                if (names.add(name)) {
                    schema.struct(name).fields().forEach(f -> follow(schema, f.type(), names));
                }
            }
            case Scalar _, Type.Run _, Type.FixedBytes _ -> {}
        }
    }

    private static String header(Schema schema, String unit, Identifiers identifiers) {
        String guard = unit.toUpperCase(Locale.ROOT) + "_H";
        var out = new StringBuilder(generated());
        out.append("#ifndef ").append(guard).append("\n#define ").append(guard).append("\n\n");
        out.append("#include \"zap.h\"\n");
        identifiers.claim("", guard, "the guard of the header", 1);
        for (EnumDef def : schema.enums()) {
            String name = snake(def.name());
            checkPrefix(schema, def.name(), def.line());
            identifiers.claim("enum", name, def.name(), def.line());
            out.append("\nenum ").append(name).append(" {\n");
            for (EnumDef.Value value : def.values()) {
                String word = (name + "_" + snake(value.name())).toUpperCase(Locale.ROOT);
                identifiers.claim("", word, def.name() + "." + value.name(), value.line());
                out.append("    ").append(word).append(" = ").append(value.number()).append(",\n");
            }
            out.append("};\n");
        }
        out.append('\n');
        for (StructDef struct : schema.structs()) {
            checkPrefix(schema, struct.name(), struct.line());
            identifiers.claim(
                    "", table(struct.name()), "the table of " + struct.name(), struct.line());
            identifiers.claim(
                    "",
                    snake(struct.name()) + "_fields",
                    "the fields of " + struct.name(),
                    struct.line());
            out.append("extern const struct zap_type ").append(table(struct.name())).append(";\n");
        }
        for (StructDef struct : schema.structs()) {
            out.append('\n');
            var accessors = new CAccessors(schema, struct, identifiers, out);
            struct.fields().forEach(accessors::write);
        }
        return out.append("\n#endif\n").toString();
    }

    private static void checkPrefix(Schema schema, String name, int line) {
        if (snake(name).startsWith("zap")) {
            throw new SchemaException(
                    schema.file(),
                    line,
                    name + " begins as the runtime's own names do in C: rename it");
        }
    }

    /** The fields that must be checked before they are read: those that point elsewhere. */
    private static String tables(Schema schema, String unit) {
        var out = new StringBuilder(generated());
        out.append("#include \"").append(unit).append(".h\"\n");
        for (StructDef struct : schema.structs()) {
            String fields = "0";
            if (struct.hasTail()) {
                fields = snake(struct.name()) + "_fields";
                out.append("\nstatic const struct zap_field ").append(fields).append("[] = {\n");
                for (FieldDef field : struct.fields()) {
                    out.append(row(schema, field));
                }
                out.append("    {ZAP_END, 0, 0, 0},\n};\n");
            } else {
                out.append('\n');
            }
            out.append(
                    "const struct zap_type %s = {\"%s\", %d, %s};\n"
                            .formatted(
                                    table(struct.name()),
                                    struct.name(),
                                    struct.sizeBytes(),
                                    fields));
        }
        return out.toString();
    }

    private static String row(Schema schema, FieldDef field) {
        int at = field.offset();
        return switch (field.type()) {
            case Scalar _, Type.EnumRef _, Type.FixedBytes _ -> "";
            case Type.Run run ->
                    "    {%s, %d, 0, 0},\n"
                            .formatted(run == Type.Run.TEXT ? "ZAP_TEXT" : "ZAP_BYTES", at);
            case Type.StructRef(String name) ->
                    "    {ZAP_STRUCT, %d, 0, &%s},\n".formatted(at, table(name));
            case Type.ListOf(Type element) ->
                    schema.shapeOf(element) == ListShape.POINTERS
                            ? "    {ZAP_POINTERS, %d, 4, &%s},\n"
                                    .formatted(at, table(element.toString()))
                            : "    {ZAP_PACKED, %d, %d, 0},\n"
                                    .formatted(at, schema.strideOf(element));
        };
    }

    private static String generated() {
        return "/* Generated by the schema compiler: do not edit. */\n";
    }

    private static String table(String struct) {
        return snake(struct) + "_type";
    }

    /**
     * {@code CellRequest} and {@code lowWater} become {@code cell_request} and {@code low_water}.
     */
    static String snake(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }
}
