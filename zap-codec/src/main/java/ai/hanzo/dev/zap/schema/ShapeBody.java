package ai.hanzo.dev.zap.schema;

import static ai.hanzo.dev.zap.schema.JavaBuilder.value;

/**
 * How a builder of dialect shape makes its message: it counts the bytes of all that there is, and
 * then fills an array of that size. The order is what the fields point to, in field order and
 * recursively, then the object, then its tails; an empty list is nothing.
 */
final class ShapeBody {
    private final Schema schema;
    private final JavaText out;

    ShapeBody(Schema schema, JavaText out) {
        this.schema = schema;
        this.out = out;
    }

    void methods(StructDef def) {
        out.member(
                """
                /** Where this ends, with all that it points to, if it begins at {@code from}. */
                long endFrom(long from) {
                    long end = from;
                %s    return end;
                }\
                """,
                count(def));
        var before = new StringBuilder();
        var plain = new StringBuilder();
        var after = new StringBuilder();
        for (FieldDef field : def.fields()) {
            before.append(pointee(field));
            plain.append(plain(field));
            after.append(pointer(field));
        }
        def.fields().forEach(field -> after.append(tail(field)));
        if (def.hasTail()) {
            out.member(
                    """
                    /** Writes this and all that it points to from {@code from} on; answers where. */
                    long write(byte[] array, int from) {
                        int pos = from;
                    %s    int at = ZapArray.aligned(pos);
                        pos = at + %d;
                    %s%s    return ZapArray.written(at, pos);
                    }\
                    """,
                    before, def.sizeBytes(), plain, after);
        } else {
            out.member(
                    """
                    /** Writes this from {@code from} on; answers where. */
                    long write(byte[] array, int from) {
                        int at = ZapArray.aligned(from);
                        writeAt(array, at);
                        return ZapArray.written(at, at + %d);
                    }\
                    """,
                    def.sizeBytes());
            out.member(
                    """
                    /** Writes this into bytes that are there for it. */
                    void writeAt(byte[] array, int at) {
                    %s}\
                    """,
                    plain);
        }
        out.member(
                """
                /** This as a message of its own. */
                public byte[] toMessage() {
                    byte[] array = ZapArray.of(endFrom(ZapArray.START));
                    return ZapArray.finish(array, %d, write(array, ZapArray.START));
                }\
                """,
                schema.dialect().headerVersion());
    }

    // ---------------------------------------------------------------------------------------
    // Counting

    private String count(StructDef def) {
        var body = new StringBuilder();
        for (FieldDef field : def.fields()) {
            switch (field.type()) {
                case Type.StructRef _ -> body.append(countStruct(value(field)));
                case Type.ListOf(Type element) -> body.append(countList(field, element));
                case Scalar _, Type.EnumRef _, Type.FixedBytes _, Type.Run _ -> {}
            }
        }
        body.append("    end = ZapArray.aligned(end) + %d;\n".formatted(def.sizeBytes()));
        for (FieldDef field : def.fields()) {
            if (field.type() instanceof Type.Run run) {
                String length = run == Type.Run.TEXT ? "ZapArray.length(%s)" : "%s.length";
                body.append("    end += %s;\n".formatted(length.formatted(value(field))));
            }
        }
        return body.toString();
    }

    private static String countStruct(String value) {
        return """
            if (%s != null) {
                end = %s.endFrom(end);
            }
        """
                .formatted(value, value);
    }

    private String countList(FieldDef field, Type element) {
        String value = value(field);
        String elements =
                schema.shapeOf(element) == ListShape.POINTERS
                        ? """
                                for (int i = 0; i < %s; i++) {
                                    end = %s;
                                }
                        """
                                .formatted(size(field), countElement(value, element))
                        : "";
        return """
            if (%s != 0) {
        %s        end = ZapArray.aligned(end) + %dL * %s;
            }
        """
                .formatted(size(field), elements, schema.strideOf(element), size(field));
    }

    private String countElement(String value, Type element) {
        if (JavaBuilder.isText(schema, element)) {
            int bytes = schema.struct(element.toString()).sizeBytes();
            return "ZapArray.aligned(end) + %d + ZapArray.length(%s[i])".formatted(bytes, value);
        }
        return "%s.get(i).endFrom(end)".formatted(value);
    }

    /** The number of elements of a list. */
    private String size(FieldDef field) {
        Type element = ((Type.ListOf) field.type()).element();
        boolean isArray = element instanceof Scalar || JavaBuilder.isText(schema, element);
        return value(field) + (isArray ? ".length" : ".size()");
    }

    // ---------------------------------------------------------------------------------------
    // Filling

    private static String set(String setter, FieldDef field, String value) {
        return "    ZapArray.%s(array, %s, %s);\n".formatted(setter, at(field.offset()), value);
    }

    private static String at(int offset) {
        return offset == 0 ? "at" : "at + " + offset;
    }

    private static String plain(FieldDef field) {
        String value = value(field);
        return switch (field.type()) {
            case Scalar scalar -> set(setter(scalar), field, bits(scalar, value));
            case Type.EnumRef _ -> set("u16", field, value);
            case Type.FixedBytes _ -> set("put", field, value);
            case Type.Run _, Type.StructRef _, Type.ListOf _ -> "";
        };
    }

    private static String setter(Scalar scalar) {
        return switch (scalar) {
            case BOOL -> "bool";
            case U8, I8 -> "u8";
            case U16, I16 -> "u16";
            case U32, I32, F32 -> "u32";
            case U64, I64, F64 -> "u64";
        };
    }

    private static String bits(Scalar scalar, String value) {
        return switch (scalar) {
            case F32 -> "Float.floatToRawIntBits(%s)".formatted(value);
            case F64 -> "Double.doubleToRawLongBits(%s)".formatted(value);
            case BOOL, U8, I8, U16, I16, U32, I32, U64, I64 -> value;
        };
    }

    private String pointer(FieldDef field) {
        String target = field.name() + "At";
        return switch (field.type()) {
            case Type.StructRef _ -> set("pointer", field, target);
            case Type.ListOf _ -> set("list", field, target + ", " + size(field));
            case Scalar _, Type.EnumRef _, Type.FixedBytes _, Type.Run _ -> "";
        };
    }

    private static String tail(FieldDef field) {
        if (!(field.type() instanceof Type.Run)) {
            return "";
        }
        String slot = at(field.offset());
        return "    pos = ZapArray.tail(array, pos, %s, %s);\n".formatted(slot, value(field));
    }

    /** Writes what a field points to and leaves its position in {@code nameAt}. */
    private String pointee(FieldDef field) {
        String value = value(field);
        return switch (field.type()) {
            case Type.StructRef _ ->
                    """
                        int %sAt = 0;
                        if (%s != null) {
                            long written = %s.write(array, pos);
                            %sAt = ZapArray.at(written);
                            pos = ZapArray.end(written);
                        }
                    """
                            .formatted(field.name(), value, value, field.name());
            case Type.ListOf(Type element) -> list(field, element);
            case Scalar _, Type.EnumRef _, Type.FixedBytes _, Type.Run _ -> "";
        };
    }

    private String list(FieldDef field, Type element) {
        String name = field.name();
        boolean isCells = schema.shapeOf(element) == ListShape.POINTERS;
        int stride = schema.strideOf(element);
        return """
            int %sAt = 0;
            if (%s != 0) {
        %s        %sAt = ZapArray.aligned(pos);
                pos = %sAt + %d * %s;
        %s    }
        """
                .formatted(
                        name,
                        size(field),
                        isCells ? cells(field, element) : "",
                        name,
                        name,
                        stride,
                        size(field),
                        isCells
                                ? each(
                                        field,
                                        "ZapArray.pointer(array, %s, %sCells[i]);",
                                        stride,
                                        name)
                                : elements(field, element, stride));
    }

    private String elements(FieldDef field, Type element, int stride) {
        String value = value(field);
        return switch (element) {
            case Scalar scalar when scalar.slotBytes() == 1 ->
                    "        ZapArray.put(array, %sAt, %s);\n".formatted(field.name(), value);
            case Scalar scalar ->
                    each(
                            field,
                            "ZapArray." + setter(scalar) + "(array, %s, %s);",
                            stride,
                            bits(scalar, value + "[i]"));
            case Type.EnumRef _ ->
                    each(field, "ZapArray.u16(array, %s, %s.get(i).number());", stride, value);
            case Type.FixedBytes _ ->
                    each(
                            field,
                            "ZapArray.fixed(array, %s, %s.get(i), " + stride + ");",
                            stride,
                            value);
            case Type.StructRef _ ->
                    each(field, "%2$s.get(i).writeAt(array, %1$s);", stride, value);
            case Type.Run _, Type.ListOf _ ->
                    throw new IllegalStateException("refused before: " + element);
        };
    }

    /**
     * A loop over the elements; the template is given the position of element i and an argument.
     */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation is not in the JDK
    private String each(FieldDef field, String template, int stride, String argument) {
        String at = "%sAt + %d * i".formatted(field.name(), stride);
        return loop(field, template.formatted(at, argument));
    }

    private String loop(FieldDef field, String statement) {
        return """
                for (int i = 0; i < %s; i++) {
                    %s
                }
        """
                .formatted(size(field), statement.replace("\n", "\n            "));
    }

    /** Writes the objects of a list and keeps where they are. */
    private String cells(FieldDef field, Type element) {
        String name = field.name();
        String value = value(field);
        String cells = "        int[] %sCells = new int[%s];\n".formatted(name, size(field));
        if (!JavaBuilder.isText(schema, element)) {
            return cells
                    + loop(
                            field,
                            """
                            long written = %s.get(i).write(array, pos);
                            %sCells[i] = ZapArray.at(written);
                            pos = ZapArray.end(written);\
                            """
                                    .formatted(value, name));
        }
        StructDef def = schema.struct(element.toString());
        int offset = def.fields().getFirst().offset();
        return cells
                + loop(
                        field,
                        """
                        int cell = ZapArray.aligned(pos);
                        %sCells[i] = cell;
                        pos = ZapArray.tail(array, cell + %d, cell%s, %s[i]);\
                        """
                                .formatted(
                                        name,
                                        def.sizeBytes(),
                                        offset == 0 ? "" : " + " + offset,
                                        value));
    }
}
