package ai.hanzo.dev.zap.schema;

import static ai.hanzo.dev.zap.schema.JavaEmitter.method;

/**
 * The builder of a struct: holds the values and has a setter for each. How they are written, by
 * {@link ShapeBody} or {@link HeadBody}, is a matter of the dialect.
 */
final class JavaBuilder {
    private final Schema schema;
    private final JavaText out;
    private final boolean isShape;

    JavaBuilder(Schema schema, JavaText out) {
        this.schema = schema;
        this.out = out;
        this.isShape = schema.dialect() == Dialect.SHAPE;
    }

    String text(StructDef def) {
        String builder = def.name() + "Builder";
        out.line("import ai.hanzo.dev.zap.ZapArray;");
        if (!isShape) {
            out.line("import ai.hanzo.dev.zap.ZapWriter;");
        }
        out.line("import java.util.List;");
        out.line("");
        out.line("/** Builds a " + def.name() + " of the schema. Used by one thread. */");
        out.line("public final class " + builder + " {");
        for (FieldDef field : def.fields()) {
            String initial = initial(field.type());
            out.line("    private %s %s%s;".formatted(held(field.type()), method(field), initial));
        }
        out.member("/** All fields are zero, empty or null. */\npublic %s() {}", builder);
        def.fields().forEach(field -> setter(builder, field));
        if (isShape) {
            new ShapeBody(schema, out).methods(def);
        } else {
            new HeadBody(schema, out).methods(def);
        }
        return out.line("}").toString();
    }

    /** The value of a field; a local variable may have a name that a field has too. */
    static String value(FieldDef field) {
        return "this." + method(field);
    }

    /** A struct that is nothing but a text: its list is given as a list of strings. */
    static boolean isText(Schema schema, Type element) {
        if (!(element instanceof Type.StructRef(String name))) {
            return false;
        }
        StructDef def = schema.struct(name);
        return def.fields().size() == 1 && def.fields().getFirst().type() == Type.Run.TEXT;
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
        String value = kept(field.type()).formatted("value");
        out.member(
                "public %s %s(%s value) {\n%s    this.%s = %s;\n    return this;\n}",
                builder, method(field), given(field.type()), check, method(field), value);
    }

    /** Whether texts are kept as the array that they are written to wants them. */
    private boolean isPrepared(Type type) {
        return isShape
                && (type == Type.Run.TEXT
                        || (type instanceof Type.ListOf(Type element) && isText(schema, element)));
    }

    /** What a setter makes of its value. */
    private String kept(Type type) {
        if (isPrepared(type)) {
            return type == Type.Run.TEXT ? "ZapArray.text(%s)" : "ZapArray.texts(%s)";
        }
        return switch (type) {
            case Type.EnumRef _ -> "(short) %s.number()";
            case Scalar scalar when !held(scalar).equals(given(scalar)) ->
                    "(" + held(scalar) + ") %s";
            case Scalar _, Type.Run _, Type.FixedBytes _, Type.StructRef _, Type.ListOf _ -> "%s";
        };
    }

    /**
     * The type of a field's variable: numbers as wide as on the wire, so that builders are small.
     */
    private String held(Type type) {
        if (isPrepared(type)) {
            return type == Type.Run.TEXT ? "Object" : "Object[]";
        }
        return switch (type) {
            case Scalar scalar ->
                    switch (scalar) {
                        case U8, I8 -> "byte";
                        case U16, I16 -> "short";
                        case U32, I32 -> "int";
                        case BOOL, U64, I64, F32, F64 -> given(scalar);
                    };
            case Type.EnumRef _ -> "short";
            case Type.Run _, Type.FixedBytes _, Type.StructRef _, Type.ListOf _ -> given(type);
        };
    }

    /** The type that the setter takes. */
    private String given(Type type) {
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
            case Scalar scalar when isShape ->
                    switch (scalar) {
                        case BOOL, U8, I8 -> "byte[]";
                        case U16, I16 -> "short[]";
                        case U32, I32 -> "int[]";
                        case U64, I64 -> "long[]";
                        case F32 -> "float[]";
                        case F64 -> "double[]";
                    };
            case Type.EnumRef(String name) when isShape -> "List<" + name + ">";
            case Type.StructRef(String name) ->
                    isText(schema, element) ? "List<String>" : "List<" + name + "Builder>";
            case Type.Run run when run == Type.Run.TEXT -> "List<String>";
            case Scalar _, Type.EnumRef _, Type.Run _, Type.FixedBytes _, Type.ListOf _ ->
                    "List<byte[]>";
        };
    }

    private String initial(Type type) {
        return switch (held(type)) {
            case "String" -> " = \"\"";
            case "byte[]" -> " = ZapArray.none()";
            case "Object" -> " = \"\"";
            case "Object[]" -> " = ZapArray.noTexts()";
            case String java when java.endsWith("[]") ->
                    " = new " + java.substring(0, java.length() - 1) + "0]";
            case String java when java.startsWith("List<") -> " = List.of()";
            case String _ -> "";
        };
    }
}
