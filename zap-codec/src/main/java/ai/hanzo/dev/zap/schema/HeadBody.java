package ai.hanzo.dev.zap.schema;

import static ai.hanzo.dev.zap.schema.JavaBuilder.value;
import static ai.hanzo.dev.zap.schema.JavaEmitter.method;

/**
 * How a builder of dialect head writes: the object, then its lists and structs in field order, then
 * its tails. Every list is one of entries, and an empty one still pads.
 */
final class HeadBody {
    private final Schema schema;
    private final JavaText out;

    HeadBody(Schema schema, JavaText out) {
        this.schema = schema;
        this.out = out;
    }

    void methods(StructDef def) {
        var body = new StringBuilder();
        body.append("    int object = writer.startObject(%d);\n".formatted(def.sizeBytes()));
        def.fields().forEach(field -> body.append(plain(field)));
        def.fields().forEach(field -> body.append(pointer(field)));
        for (FieldDef field : def.fields()) {
            if (field.type() instanceof Type.Run run) {
                String setter = run == Type.Run.TEXT ? "text" : "bytes";
                body.append(set(setter, field, value(field)));
            }
        }
        out.member(
                """
                /** Writes this and all that it points to; returns its position. */
                public int write(ZapWriter writer) {
                %s    return writer.finish(object);
                }\
                """,
                body);
        out.member(
                """
                /** This as a message of its own. */
                public byte[] toMessage() {
                    ZapWriter writer = ZapWriter.of(%d);
                    writer.root(write(writer));
                    return writer.toByteArray();
                }\
                """,
                schema.dialect().headerVersion());
    }

    private static String set(String setter, FieldDef field, String value) {
        return "    writer.%s(object, %d, %s);\n".formatted(setter, field.offset(), value);
    }

    private static String plain(FieldDef field) {
        String value = value(field);
        return switch (field.type()) {
            case Scalar scalar ->
                    switch (scalar) {
                        case BOOL -> set("bool", field, value);
                        case U8, I8 -> set("u8", field, value);
                        case U16, I16 -> set("u16", field, value);
                        case U32, I32 -> set("u32", field, value);
                        case U64, I64 -> set("u64", field, value);
                        case F32 ->
                                set("u32", field, "Float.floatToRawIntBits(%s)".formatted(value));
                        case F64 ->
                                set(
                                        "u64",
                                        field,
                                        "Double.doubleToRawLongBits(%s)".formatted(value));
                    };
            case Type.EnumRef _ -> set("u16", field, value);
            case Type.FixedBytes _ -> set("fixed", field, value);
            case Type.Run _, Type.StructRef _, Type.ListOf _ -> "";
        };
    }

    /** Writes what a field points to, and the pointer. */
    private String pointer(FieldDef field) {
        String name = field.name();
        String value = value(field);
        return switch (field.type()) {
            case Type.StructRef _ ->
                    "    int %sAt = %s == null ? 0 : %s.write(writer);\n"
                                    .formatted(name, value, value)
                            + set("object", field, name + "At");
            case Type.ListOf(Type element) ->
                    """
                        int %sAt = writer.startList();
                        for (int i = 0; i < %s.size(); i++) {
                            writer.addEntry(%s);
                        }
                        writer.endList();
                    """
                                    .formatted(name, value, entry(value, element))
                            + set("list", field, "%sAt, %s.size()".formatted(name, value));
            case Scalar _, Type.EnumRef _, Type.FixedBytes _, Type.Run _ -> "";
        };
    }

    private String entry(String value, Type element) {
        return switch (element) {
            case Type.StructRef(String struct) when JavaBuilder.isText(schema, element) -> {
                String setter = method(schema.struct(struct).fields().getFirst());
                yield "new %sBuilder().%s(%s.get(i)).toMessage()".formatted(struct, setter, value);
            }
            case Type.StructRef _ -> value + ".get(i).toMessage()";
            case Type.Run run when run == Type.Run.TEXT ->
                    "%s.get(i).getBytes(java.nio.charset.StandardCharsets.UTF_8)".formatted(value);
            case Scalar _, Type.EnumRef _, Type.FixedBytes _, Type.Run _, Type.ListOf _ ->
                    value + ".get(i)";
        };
    }
}
