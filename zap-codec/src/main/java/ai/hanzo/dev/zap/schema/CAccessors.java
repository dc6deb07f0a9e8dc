package ai.hanzo.dev.zap.schema;

/** Writes the C accessors of one struct: readers over a checked message, setters over a builder. */
final class CAccessors {
    private final Schema schema;
    private final StructDef def;
    private final String struct;
    private final Identifiers identifiers;
    private final StringBuilder out;

    /** The field whose functions are being written. */
    private FieldDef current;

    CAccessors(Schema schema, StructDef struct, Identifiers identifiers, StringBuilder out) {
        this.schema = schema;
        this.def = struct;
        this.struct = CEmitter.snake(struct.name());
        this.identifiers = identifiers;
        this.out = out;
        this.current = struct.fields().getFirst();
    }

    void write(FieldDef field) {
        current = field;
        String name = CEmitter.snake(field.name());
        int at = field.offset();
        switch (field.type()) {
            case Scalar scalar -> number(name, at, cType(scalar), scalar.widthBytes());
            case Type.EnumRef _ -> number(name, at, "uint16_t", 2);
            case Type.Run _ -> run(name, at);
            case Type.FixedBytes(int length) -> fixed(name, at, length);
            case Type.StructRef(String of) -> nested(name, at, of);
            case Type.ListOf(Type element) -> list(name, at, element);
        }
    }

    private void number(String name, int at, String type, int width) {
        function(type, name, "struct zap_obj o", cast(type, "zap_get%d(o, %d)", width * 8, at));
        function(
                "void",
                "set_" + name,
                "struct zap_out *w, uint32_t at, " + type + " v",
                "zap_put%d(w, at + %d, (uint%d_t)v)".formatted(width * 8, at, width * 8));
    }

    private void run(String name, int at) {
        function("struct zap_run", name, "struct zap_obj o", "zap_run_at(o, %d)".formatted(at));
        function(
                "void",
                "set_" + name,
                "struct zap_out *w, uint32_t at, const void *p, size_t n",
                "zap_put_run(w, at + %d, p, n)".formatted(at));
    }

    private void fixed(String name, int at, int length) {
        function(
                "const uint8_t *",
                name,
                "struct zap_obj o",
                "zap_fixed(o, %d, %d)".formatted(at, length));
        function(
                "void",
                "set_" + name,
                "struct zap_out *w, uint32_t at, const void *p",
                "zap_put_fixed(w, at + %d, p, %d)".formatted(at, length));
    }

    private void nested(String name, int at, String of) {
        function("struct zap_obj", name, "struct zap_obj o", "zap_struct_at(o, %d)".formatted(at));
        function(
                "uint32_t",
                "new_" + name,
                "struct zap_out *w, uint32_t at",
                "zap_new_struct(w, at + %d, %d)".formatted(at, size(of)));
    }

    private void list(String name, int at, Type element) {
        int stride = schema.strideOf(element);
        function("struct zap_list", name, "struct zap_obj o", "zap_list_at(o, %d)".formatted(at));
        function(
                "uint32_t",
                "new_" + name,
                "struct zap_out *w, uint32_t at, uint32_t count",
                "zap_new_list(w, at + %d, count, %d)".formatted(at, stride));
        String index = "struct zap_list l, uint32_t i";
        String place = "struct zap_out *w, uint32_t list, uint32_t i";
        switch (element) {
            case Scalar scalar -> packed(name, cType(scalar), stride);
            case Type.EnumRef _ -> packed(name, "uint16_t", stride);
            case Type.FixedBytes _ -> {
                function(
                        "const uint8_t *",
                        name + "_at",
                        index,
                        "l.buf + l.at + i * %du".formatted(stride));
                function(
                        "void",
                        "set_" + name + "_at",
                        place + ", const void *p",
                        "zap_put_fixed(w, list + i * %du, p, %d)".formatted(stride, stride));
            }
            case Type.StructRef(String of) -> structs(name, of, stride);
            case Type.Run _, Type.ListOf _ ->
                    throw new IllegalArgumentException("no element stride: " + element);
        }
    }

    private void packed(String name, String type, int width) {
        String index = "struct zap_list l, uint32_t i";
        String read = "zap_get%d(zap_inline(l, i, %d), 0)";
        function(type, name + "_at", index, cast(type, read, width * 8, width));
        function(
                "void",
                "set_" + name + "_at",
                "struct zap_out *w, uint32_t list, uint32_t i, " + type + " v",
                "zap_put%d(w, list + i * %du, (uint%d_t)v)".formatted(width * 8, width, width * 8));
    }

    private void structs(String name, String of, int stride) {
        boolean isPointers = schema.struct(of).hasTail();
        function(
                "struct zap_obj",
                name + "_at",
                "struct zap_list l, uint32_t i",
                isPointers ? "zap_cell(l, i)" : "zap_inline(l, i, %d)".formatted(stride));
        function(
                "uint32_t",
                "new_" + name + "_at",
                "struct zap_out *w, uint32_t list, uint32_t i",
                isPointers
                        ? "zap_new_struct(w, list + i * 4u, %d)".formatted(size(of))
                        : "zap_new_inline(w, list + i * %du)".formatted(stride));
    }

    private int size(String of) {
        return schema.struct(of).sizeBytes();
    }

    private void function(String type, String name, String parameters, String body) {
        identifiers.claim(
                "", struct + "_" + name, def.name() + "." + current.name(), current.line());
        String gap = type.endsWith("*") ? "" : " ";
        String statement = type.equals("void") ? body : "return " + body;
        out.append("static inline ").append(type).append(gap);
        out.append(struct).append('_').append(name).append('(').append(parameters).append(")\n");
        out.append("{ ").append(statement).append("; }\n");
    }

    private static String cast(String type, String call, int first, int second) {
        String read = call.formatted(first, second);
        return switch (type) {
            case "bool" -> read + " != 0";
            default -> type.startsWith("uint") ? read : "(" + type + ")" + read;
        };
    }

    /** Floats stay bits: the runtime never computes with them. */
    private static String cType(Scalar scalar) {
        return switch (scalar) {
            case BOOL -> "bool";
            case U8 -> "uint8_t";
            case U16 -> "uint16_t";
            case U32, F32 -> "uint32_t";
            case U64, F64 -> "uint64_t";
            case I8 -> "int8_t";
            case I16 -> "int16_t";
            case I32 -> "int32_t";
            case I64 -> "int64_t";
        };
    }
}
