package ai.hanzo.dev.zap.schema;

import java.util.ArrayList;
import java.util.List;

/** A Java file in the making, and the small ones whole. */
final class JavaText {
    private final Schema schema;
    private final StringBuilder text = new StringBuilder();

    JavaText(Schema schema, String packageName) {
        this.schema = schema;
        String file = schema.file().substring(schema.file().lastIndexOf('/') + 1);
        line("// Made from %s by the schema compiler; not to be edited.".formatted(file));
        line("package " + packageName + ";");
        line("");
    }

    JavaText line(String line) {
        text.append(line).append('\n');
        return this;
    }

    /**
     * Several lines, the arguments filled in, moved in by four spaces, with an empty one before.
     */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation is not in the JDK
    JavaText member(String template, Object... arguments) {
        text.append('\n').append(template.formatted(arguments).indent(4));
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }

    String enumOf(EnumDef def) {
        line("import ai.hanzo.dev.zap.CodecException;");
        line("");
        line("/** " + def.name() + " of the schema: a u16. */");
        line("public enum " + def.name() + " {");
        List<String> constants = new ArrayList<>();
        for (EnumDef.Value value : def.values()) {
            constants.add(
                    "    %s(%d)".formatted(JavaEmitter.constant(value.name()), value.number()));
        }
        line(String.join(",\n", constants) + ";");
        line("");
        line("    private final int number;");
        member("%s(int number) {\n    this.number = number;\n}", def.name());
        member("/** The number on the wire. */\npublic int number() {\n    return number;\n}");
        var cases = new StringBuilder();
        for (EnumDef.Value value : def.values()) {
            cases.append(
                    "        case %d -> %s;\n"
                            .formatted(value.number(), JavaEmitter.constant(value.name())));
        }
        member(
                """
                /** The constant of a number; throws {@link CodecException} if there is none. */
                public static %s of(int number) {
                    return switch (number) {
                %s        default -> throw CodecException.badValue(number + " is no %s");
                    };
                }\
                """,
                def.name(), cases, def.name());
        return line("}").toString();
    }

    String layouts() {
        line("import ai.hanzo.dev.zap.Layout;");
        line("import ai.hanzo.dev.zap.Layout.Slot;");
        line("");
        line("/** Where the values of each struct lie, for the strict walk. */");
        line("final class Layouts {");
        for (StructDef def : schema.structs()) {
            line(
                    "    static final Layout %s = Layout.of(\"%s\", %d);"
                            .formatted(layoutOf(def.name()), def.name(), def.sizeBytes()));
        }
        line("");
        line("    static {");
        for (StructDef def : schema.structs()) {
            List<String> slots = new ArrayList<>();
            for (FieldDef field : def.fields()) {
                slot(field, slots);
            }
            if (!slots.isEmpty()) {
                String all = String.join(",\n                ", slots);
                line(
                        "        %s.define(\n                %s);"
                                .formatted(layoutOf(def.name()), all));
            }
        }
        line("    }");
        line("");
        line("    private Layouts() {}");
        return line("}").toString();
    }

    /** The constant in Layouts. */
    static String layoutOf(String struct) {
        return "OF_" + struct;
    }

    private void slot(FieldDef field, List<String> slots) {
        int at = field.offset();
        switch (field.type()) {
            case Scalar _, Type.FixedBytes _, Type.EnumRef _ -> {}
            case Type.Run run -> slots.add("Slot.of(Layout.Kind.%s, %d)".formatted(run.name(), at));
            case Type.StructRef(String name) -> {
                String kind = schema.dialect() == Dialect.SHAPE ? "STRUCT" : "STRUCT_OR_MESSAGE";
                slots.add("Slot.of(Layout.Kind.%s, %d, %s)".formatted(kind, at, layoutOf(name)));
            }
            case Type.ListOf(Type element) -> slots.add(listSlot(element, at));
        }
    }

    private String listSlot(Type element, int at) {
        return switch (schema.shapeOf(element)) {
            case PACKED, FIXED -> "Slot.packed(%d, %d)".formatted(at, schema.strideOf(element));
            case INLINE ->
                    "Slot.inline(%d, %d, %s)"
                            .formatted(at, schema.strideOf(element), layoutOf(element.toString()));
            case POINTERS ->
                    "Slot.of(Layout.Kind.POINTERS, %d, %s)"
                            .formatted(at, layoutOf(element.toString()));
            case ENTRIES ->
                    switch (element) {
                        case Type.StructRef(String name) ->
                                "Slot.of(Layout.Kind.MESSAGE_ENTRIES, %d, %s)"
                                        .formatted(at, layoutOf(name));
                        case Type.Run run ->
                                "Slot.of(Layout.Kind.%s_ENTRIES, %d)".formatted(run.name(), at);
                        case Scalar _, Type.FixedBytes _, Type.EnumRef _, Type.ListOf _ ->
                                "Slot.of(Layout.Kind.BYTES_ENTRIES, %d)".formatted(at);
                    };
        };
    }
}
