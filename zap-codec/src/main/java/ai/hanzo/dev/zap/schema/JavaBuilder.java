package ai.hanzo.dev.zap.schema;

import static ai.hanzo.dev.zap.schema.JavaEmitter.method;

import java.util.List;

/**
 * The builder of a struct: holds the values, then writes them in the order of the dialect. Shape:
 * what the fields point to, in field order and recursively, then the object, then its tails; an
 * empty list is nothing. Head: the object, then its lists and structs in field order, then its
 * tails; an empty list still pads.
 */
final class JavaBuilder {
    private final Schema schema;
    private final JavaText out;

    JavaBuilder(Schema schema, JavaText out) {
        this.schema = schema;
        this.out = out;
    }

    String text(StructDef def) {
        String builder = def.name() + "Builder";
        out.line("import ai.hanzo.dev.zap.ZapWriter;");
        out.line("import java.util.List;");
        out.line("");
        out.line("/** Builds a " + def.name() + " of the schema. Used by one thread. */");
        out.line("public final class " + builder + " {");
        for (FieldDef field : def.fields()) {
            String initial = initial(field.type());
            out.line("    private %s %s%s;".formatted(type(field.type()), method(field), initial));
        }
        out.member("/** All fields are zero, empty or null. */\npublic %s() {}", builder);
        def.fields().forEach(field -> setter(builder, field));
        write(def);
        out.member(
                """
                /** Makes this the root of the message of {@code writer}, which must be empty. */
                public void writeRoot(ZapWriter writer) {
                    writer.root(write(writer));
                    writer.finishMessage();
                }\
                """);
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
        return out.line("}").toString();
    }

    /** The value of a field; a local variable may have a name that a field has too. */
    private static String value(FieldDef field) {
        return "this." + method(field);
    }

    private void setter(String builder, FieldDef field) {
        String check = "";
        if (field.type() instanceof Type.FixedBytes(int length)) {
            check =
                    """
                    if (value.length != %d) {
                        throw new IllegalArgumentException("%s has %d bytes, not " + value.length);
                    }
                    """
                            .formatted(length, field.name(), length)
                            .indent(4);
        }
        out.member(
                "public %s %s(%s value) {\n%s    this.%s = value;\n    return this;\n}",
                builder, method(field), type(field.type()), check, method(field));
    }

    private String type(Type type) {
        return switch (type) {
            case Scalar scalar -> JavaView.javaType(scalar);
            case Type.EnumRef(String name) -> name;
            case Type.Run run -> run == Type.Run.TEXT ? "String" : "byte[]";
            case Type.FixedBytes _ -> "byte[]";
            case Type.StructRef(String name) -> name + "Builder";
            case Type.ListOf(Type element) -> listType(element);
        };
    }

    private String listType(Type element) {
        return switch (element) {
            case Scalar scalar when schema.dialect() == Dialect.SHAPE ->
                    switch (scalar) {
                        case BOOL, U8, I8 -> "byte[]";
                        case U16, I16 -> "short[]";
                        case U32, I32 -> "int[]";
                        case U64, I64 -> "long[]";
                        case F32 -> "float[]";
                        case F64 -> "double[]";
                    };
            case Type.EnumRef(String name) when schema.dialect() == Dialect.SHAPE ->
                    "List<" + name + ">";
            case Type.StructRef(String name) -> isText(name) ? "List<String>" : listOf(name);
            case Type.Run run when run == Type.Run.TEXT -> "List<String>";
            case Scalar _, Type.EnumRef _, Type.Run _, Type.FixedBytes _, Type.ListOf _ ->
                    "List<byte[]>";
        };
    }

    private static String listOf(String struct) {
        return "List<" + struct + "Builder>";
    }

    /** A struct that is nothing but a text: its list is given as a list of strings. */
    private boolean isText(String struct) {
        StructDef def = schema.struct(struct);
        return def.fields().size() == 1 && def.fields().getFirst().type() == Type.Run.TEXT;
    }

    private String initial(Type type) {
        return switch (type) {
            case Scalar _, Type.EnumRef _, Type.StructRef _ -> "";
            case Type.Run run -> run == Type.Run.TEXT ? " = \"\"" : " = new byte[0]";
            case Type.FixedBytes _ -> " = new byte[0]";
            case Type.ListOf _ -> {
                String java = type(type);
                boolean isArray = java.endsWith("[]");
                yield isArray
                        ? " = new " + java.substring(0, java.length() - 1) + "0]"
                        : " = List.of()";
            }
        };
    }

    private void write(StructDef def) {
        boolean isShape = schema.dialect() == Dialect.SHAPE;
        var body = new StringBuilder();
        List<FieldDef> pointers = def.fields().stream().filter(f -> isPointer(f.type())).toList();
        if (isShape) {
            pointers.forEach(f -> body.append(pointee(f)));
        }
        body.append("    int object = writer.startObject(%d);\n".formatted(def.sizeBytes()));
        var plain = new StringBuilder();
        def.fields().forEach(f -> plain.append(plain(f)));
        body.append(plain);
        for (FieldDef field : pointers) {
            body.append(isShape ? "" : pointee(field));
            body.append(pointer(field));
        }
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
        if (isShape && !def.hasTail()) {
            out.member(
                    """
                    /** Writes this as a record of the list that is open. */
                    void writeRecord(ZapWriter writer) {
                        int object = writer.addRecord(%d);
                    %s    writer.finishRecord(object);
                    }\
                    """,
                    def.sizeBytes(), plain);
        }
    }

    private static boolean isPointer(Type type) {
        return type instanceof Type.StructRef || type instanceof Type.ListOf;
    }

    private static String set(String setter, FieldDef field, String value) {
        return "    writer.%s(object, %d, %s);\n".formatted(setter, field.offset(), value);
    }

    private static String plain(FieldDef field) {
        String name = value(field);
        return switch (field.type()) {
            case Scalar scalar ->
                    switch (scalar) {
                        case BOOL -> set("bool", field, name);
                        case U8, I8 -> set("u8", field, name);
                        case U16, I16 -> set("u16", field, name);
                        case U32 -> set("u32", field, "(int) " + name);
                        case I32 -> set("u32", field, name);
                        case U64, I64 -> set("u64", field, name);
                        case F32 ->
                                set("u32", field, "Float.floatToRawIntBits(%s)".formatted(name));
                        case F64 ->
                                set("u64", field, "Double.doubleToRawLongBits(%s)".formatted(name));
                    };
            case Type.EnumRef _ ->
                    set("u16", field, "%s == null ? 0 : %s.number()".formatted(name, name));
            case Type.FixedBytes _ -> set("fixed", field, name);
            case Type.Run _, Type.StructRef _, Type.ListOf _ -> "";
        };
    }

    private static String pointer(FieldDef field) {
        String name = field.name();
        return switch (field.type()) {
            case Type.StructRef _ -> set("object", field, name + "At");
            case Type.ListOf _ -> set("list", field, name + "At, " + name + "Count");
            case Scalar _, Type.EnumRef _, Type.FixedBytes _, Type.Run _ -> "";
        };
    }

    /** Writes what a field points to and leaves its position in {@code nameAt}. */
    private String pointee(FieldDef field) {
        String name = field.name();
        String value = value(field);
        return switch (field.type()) {
            case Type.StructRef _ ->
                    "    int %sAt = %s == null ? 0 : %s.write(writer);\n"
                            .formatted(name, value, value);
            case Type.ListOf(Type element) -> {
                String size = type(field.type()).endsWith("[]") ? ".length" : ".size()";
                String count = "    int %sCount = %s%s;\n".formatted(name, value, size);
                yield count
                        + (schema.shapeOf(element) == ListShape.ENTRIES
                                ? entries(name, value, element)
                                : shaped(name, value, element));
            }
            case Scalar _, Type.EnumRef _, Type.FixedBytes _, Type.Run _ -> "";
        };
    }

    private String shaped(String name, String value, Type element) {
        boolean isCells = schema.shapeOf(element) == ListShape.POINTERS;
        String add =
                switch (element) {
                    case Scalar scalar -> number(scalar).formatted(value);
                    case Type.EnumRef _ -> "writer.addU16(%s.get(i).number());".formatted(value);
                    case Type.FixedBytes _ -> "writer.addBytes(%s.get(i));".formatted(value);
                    case Type.StructRef _ ->
                            isCells
                                    ? "writer.addPointer(%sCells[i]);".formatted(name)
                                    : "%s.get(i).writeRecord(writer);".formatted(value);
                    case Type.Run _, Type.ListOf _ ->
                            throw new IllegalStateException("refused before: " + element);
                };
        return """
            int %sAt = 0;
            if (%sCount != 0) {
        %s        %sAt = writer.startList();
                for (int i = 0; i < %sCount; i++) {
                    %s
                }
                writer.endList();
            }
        """
                .formatted(name, name, isCells ? cells(name, value, element) : "", name, name, add);
    }

    private String cells(String name, String value, Type element) {
        String struct = element.toString();
        String write =
                isText(struct)
                        ? text(struct, value) + ".write(writer)"
                        : "%s.get(i).write(writer)".formatted(value);
        return """
                int[] %sCells = new int[%sCount];
                for (int i = 0; i < %sCount; i++) {
                    %sCells[i] = %s;
                }
        """
                .formatted(name, name, name, name, write);
    }

    /** A builder of a struct that is nothing but a text, with element i in it. */
    private String text(String struct, String value) {
        String setter = method(schema.struct(struct).fields().getFirst());
        return "new %sBuilder().%s(%s.get(i))".formatted(struct, setter, value);
    }

    private static String number(Scalar scalar) {
        return switch (scalar) {
            case BOOL, U8, I8 -> "writer.addU8(%s[i]);";
            case U16, I16 -> "writer.addU16(%s[i]);";
            case U32, I32 -> "writer.addU32(%s[i]);";
            case U64, I64 -> "writer.addU64(%s[i]);";
            case F32 -> "writer.addU32(Float.floatToRawIntBits(%s[i]));";
            case F64 -> "writer.addU64(Double.doubleToRawLongBits(%s[i]));";
        };
    }

    private String entries(String name, String value, Type element) {
        String entry =
                switch (element) {
                    case Type.StructRef(String struct) ->
                            isText(struct)
                                    ? text(struct, value) + ".toMessage()"
                                    : value + ".get(i).toMessage()";
                    case Type.Run run ->
                            run == Type.Run.TEXT
                                    ? "%s.get(i).getBytes(java.nio.charset.StandardCharsets.UTF_8)"
                                            .formatted(value)
                                    : value + ".get(i)";
                    case Scalar _, Type.EnumRef _, Type.FixedBytes _, Type.ListOf _ ->
                            value + ".get(i)";
                };
        return """
            int %sAt = writer.startList();
            for (int i = 0; i < %sCount; i++) {
                writer.addEntry(%s);
            }
            writer.endList();
        """
                .formatted(name, name, entry);
    }
}
