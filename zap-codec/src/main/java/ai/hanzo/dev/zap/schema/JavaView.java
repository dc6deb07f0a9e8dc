package ai.hanzo.dev.zap.schema;

import static ai.hanzo.dev.zap.schema.JavaEmitter.capital;
import static ai.hanzo.dev.zap.schema.JavaEmitter.method;

/** The view of a struct: a position in a reader, and a method for each field. */
final class JavaView {
    private final Schema schema;
    private final JavaText out;

    JavaView(Schema schema, JavaText out) {
        this.schema = schema;
        this.out = out;
    }

    String text(StructDef def) {
        boolean hasEntries = schema.dialect() == Dialect.HEAD;
        String view = def.name() + "View";
        if (hasEntries) {
            out.line("import ai.hanzo.dev.zap.EntryCursor;");
        }
        out.line("import ai.hanzo.dev.zap.Layout;");
        out.line("import ai.hanzo.dev.zap.Validator;");
        out.line("import ai.hanzo.dev.zap.ZapReader;");
        out.line("");
        out.line("/**");
        out.line(
                " * "
                        + def.name()
                        + " of the schema, read in place. A view may be put on one object");
        out.line(" * after the other; on the null object it answers zeros. Used by one thread.");
        out.line(" */");
        out.line("public final class " + view + " {");
        out.line("    /** Where its values lie. */");
        String layout = JavaText.layoutOf(def.name());
        out.line("    public static final Layout LAYOUT = Layouts." + layout + ";");
        out.line("");
        out.line("    private ZapReader reader;");
        out.line("    private long at;");
        frame(view);
        def.fields().forEach(this::field);
        return out.line("}").toString();
    }

    private void frame(String view) {
        out.member(
                """
                /** A view of the object at {@code at}. */
                public %s(ZapReader reader, long at) {
                    this.reader = reader;
                    this.at = at;
                }\
                """,
                view);
        out.member(
                """
                /**
                 * Opens an untrusted message strictly and walks all of it; this struct is its root.
                 * Throws {@code CodecException} if it is refused.
                 */
                public static %s open(byte[] message) {
                    ZapReader reader = ZapReader.open(message, ZapReader.Mode.STRICT);
                    Validator.validate(reader, LAYOUT);
                    return new %s(reader, reader.root());
                }\
                """,
                view, view);
        out.member(
                """
                /** Puts this view on another object. */
                public %s on(ZapReader reader, long at) {
                    this.reader = reader;
                    this.at = at;
                    return this;
                }\
                """,
                view);
        out.member(
                """
                /** Whether there is no object. */
                public boolean isNull() {
                    return at == ZapReader.NULL;
                }\
                """);
        out.member(
                """
                /** Where the object is. */
                public long position() {
                    return at;
                }\
                """);
        out.member(
                """
                /** What the runs of this view are read with. */
                public ZapReader reader() {
                    return reader;
                }\
                """);
    }

    private void field(FieldDef field) {
        String name = method(field);
        int offset = field.offset();
        switch (field.type()) {
            case Scalar scalar -> get(javaType(scalar), name, "", read(scalar, "at, " + offset));
            case Type.EnumRef(String type) -> {
                get(type, name, "", "%s.of(reader.u16(at, %d))".formatted(type, offset));
                get("int", field.name() + "Number", "", "reader.u16(at, %d)".formatted(offset));
            }
            case Type.Run run -> run(field, run);
            case Type.FixedBytes(int length) -> {
                String fixed = "reader.fixed(at, %d, %d)".formatted(offset, length);
                out.member(
                        """
                        public byte[] %s() {
                            long run = %s;
                            return run == 0 ? new byte[%d] : reader.copy(run);
                        }\
                        """,
                        name, fixed, length);
                get("long", field.name() + "Run", "", fixed);
            }
            case Type.StructRef(String type) -> struct(field, type);
            case Type.ListOf(Type element) -> list(field, element);
        }
    }

    private void get(String type, String name, String parameters, String expression) {
        out.member("public %s %s(%s) {\n    return %s;\n}", type, name, parameters, expression);
    }

    private void run(FieldDef field, Type.Run run) {
        String name = field.name();
        get("boolean", "has" + capital(name), "", name + "Run() != 0");
        get("long", name + "Run", "", "reader.run(at, %d)".formatted(field.offset()));
        switch (run) {
            case TEXT -> get("String", method(field), "", "reader.text(%sRun())".formatted(name));
            case BYTES -> get("byte[]", method(field), "", "reader.copy(%sRun())".formatted(name));
        }
    }

    private void struct(FieldDef field, String type) {
        String view = type + "View";
        String child = "reader.child(at, %d)".formatted(field.offset());
        get("boolean", "has" + capital(field.name()), "", child + " != ZapReader.NULL");
        if (schema.dialect() == Dialect.SHAPE) {
            get(view, method(field), view + " into", "into.on(reader, %s)".formatted(child));
        } else {
            out.member(
                    """
                    public %s %s(%s into) {
                        long child = %s;
                        if (!reader.isEmbedded(child)) {
                            return into.on(reader, child);
                        }
                        ZapReader inner = reader.embedded(child, ZapReader.empty());
                        return into.on(inner, inner.root());
                    }\
                    """,
                    view, method(field), view, child);
        }
        String fresh = "%s(new %s(reader, ZapReader.NULL))".formatted(method(field), view);
        get(view, method(field), "", fresh);
    }

    private void list(FieldDef field, Type element) {
        ListShape shape = schema.shapeOf(element);
        String name = field.name();
        if (shape == ListShape.ENTRIES) {
            entries(field, element);
            return;
        }
        int stride = schema.strideOf(element);
        String list = "reader.list(at, %d, %d)".formatted(field.offset(), stride);
        out.member("private long %sList() {\n    return %s;\n}", name, list);
        get("int", name + "Count", "", "ZapReader.length(%sList())".formatted(name));
        switch (element) {
            case Scalar scalar ->
                    get(javaType(scalar), method(field), "int index", readAt(scalar, name));
            case Type.EnumRef(String type) -> {
                String number = "reader.u16At(%sList(), index)".formatted(name);
                get(type, method(field), "int index", "%s.of(%s)".formatted(type, number));
                get("int", name + "Number", "int index", number);
            }
            case Type.FixedBytes(int length) -> {
                String run = "reader.fixedAt(%sList(), index, %d)".formatted(name, length);
                get("byte[]", method(field), "int index", "reader.copy(%s)".formatted(run));
                get("long", name + "Run", "int index", run);
            }
            case Type.StructRef(String type) -> {
                String view = type + "View";
                String object =
                        shape == ListShape.POINTERS
                                ? "reader.pointee(%sList(), index)".formatted(name)
                                : "reader.record(%sList(), index, %d)".formatted(name, stride);
                String parameters = "int index, " + view + " into";
                get(view, method(field), parameters, "into.on(reader, %s)".formatted(object));
                String fresh = "new %s(reader, %s)".formatted(view, object);
                get(view, method(field), "int index", fresh);
            }
            case Type.Run _, Type.ListOf _ ->
                    throw new IllegalStateException("refused before: " + element);
        }
    }

    private void entries(FieldDef field, Type element) {
        String name = field.name();
        get("long", name + "List", "", "reader.list(at, %d)".formatted(field.offset()));
        String cursor = "new EntryCursor().on(reader, %sList())".formatted(name);
        get("EntryCursor", method(field), "", cursor);
        switch (element) {
            case Type.StructRef(String type) ->
                    out.member(
                            """
                            public %s %s(EntryCursor entry, %s into) {
                                ZapReader inner = reader.message(entry.run(), ZapReader.empty());
                                return into.on(inner, inner.root());
                            }\
                            """,
                            type + "View", method(field), type + "View");
            case Type.Run run -> {
                String type = run == Type.Run.TEXT ? "String" : "byte[]";
                String read = run == Type.Run.TEXT ? "text" : "copy";
                String entry = "reader.%s(entry.run())".formatted(read);
                get(type, method(field), "EntryCursor entry", entry);
            }
            case Scalar _, Type.EnumRef _, Type.FixedBytes _, Type.ListOf _ ->
                    get("byte[]", method(field), "EntryCursor entry", "reader.copy(entry.run())");
        }
    }

    static String javaType(Scalar scalar) {
        return switch (scalar) {
            case BOOL -> "boolean";
            case U8, U16, I8, I16, I32 -> "int";
            case U32, U64, I64 -> "long";
            case F32 -> "float";
            case F64 -> "double";
        };
    }

    private static String read(Scalar scalar, String where) {
        String getter =
                switch (scalar) {
                    case BOOL, U8, U16, U32, I8, I16, I32, I64, F32, F64 -> scalar.word();
                    case U64 -> "i64";
                };
        return "reader.%s(%s)".formatted(getter, where);
    }

    private static String readAt(Scalar scalar, String name) {
        String list = name + "List(), index";
        return switch (scalar) {
            case BOOL -> "reader.u8At(%s) != 0".formatted(list);
            case U8 -> "reader.u8At(%s)".formatted(list);
            case I8 -> "(byte) reader.u8At(%s)".formatted(list);
            case U16 -> "reader.u16At(%s)".formatted(list);
            case I16 -> "(short) reader.u16At(%s)".formatted(list);
            case U32 -> "reader.u32At(%s)".formatted(list);
            case I32 -> "(int) reader.u32At(%s)".formatted(list);
            case U64, I64 -> "reader.i64At(%s)".formatted(list);
            case F32 -> "Float.intBitsToFloat((int) reader.u32At(%s))".formatted(list);
            case F64 -> "Double.longBitsToDouble(reader.i64At(%s))".formatted(list);
        };
    }
}
