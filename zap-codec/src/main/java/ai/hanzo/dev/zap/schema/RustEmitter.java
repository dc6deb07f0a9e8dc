package ai.hanzo.dev.zap.schema;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Emits Rust for the core: one file over the runtime {@code zap.rs}. For each struct a table (what
 * {@code zap::open} checks and {@code Writer::copy} follows), a view and a builder; for each enum a
 * module of constants. Dialect shape only. Stateless.
 */
final class RustEmitter implements Emitter {
    /** Strict and reserved words of the 2021 edition (Rust Reference, "Keywords"). */
    private static final Set<String> KEYWORDS =
            Set.of(
                    ("abstract as async await become box break const continue crate do dyn else"
                                    + " enum extern false final fn for if impl in let loop macro match mod"
                                    + " move mut override priv pub ref return self Self static struct super"
                                    + " trait true try type typeof unsafe unsized use virtual where while"
                                    + " yield")
                            .split(" "));

    /** What the generated code itself means by a name. */
    private static final Set<String> USED =
            Set.of("zap", "Option", "Clone", "Copy", "bool", "u8", "u16", "u32", "u64");

    /** Parameters of generated functions, which cannot have the name of a tuple struct. */
    private static final Set<String> PARAMETERS = Set.of("w", "v", "i", "child", "list", "count");

    private static final Set<String> RESERVED =
            Stream.of(KEYWORDS, USED).flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());

    private final List<String> roots;

    /** Emits all structs and enums. */
    RustEmitter() {
        this(List.of());
    }

    /** Emits what can be reached from {@code roots}; all if there are none. */
    RustEmitter(List<String> roots) {
        this.roots = List.copyOf(roots);
    }

    @Override
    public SortedMap<String, String> emit(Schema schema) {
        if (schema.dialect() != Dialect.SHAPE) {
            throw new SchemaException(schema.file(), 1, "Rust is emitted for dialect shape only");
        }
        Set<String> names = reachable(schema);
        var identifiers = new Identifiers(schema.file(), "Rust", RESERVED);
        PARAMETERS.forEach(p -> identifiers.claim("struct", p, "a parameter", 1));
        schema.enums().stream()
                .filter(e -> names.contains(e.name()))
                .forEach(e -> claim(identifiers, e));
        schema.structs().stream()
                .filter(s -> names.contains(s.name()))
                .forEach(s -> claim(identifiers, s));
        var out = new StringBuilder();
        out.append("//! Generated from the schema by the compiler in zap-codec. Do not edit.\n");
        out.append("#![allow(dead_code)]\n\n");
        out.append("use crate::zap;\n");
        for (EnumDef e : schema.enums()) {
            if (names.contains(e.name())) {
                constants(out, e);
            }
        }
        for (StructDef s : schema.structs()) {
            if (names.contains(s.name())) {
                table(out, schema, s);
                view(out, schema, s);
                builder(out, s);
            }
        }
        var files = new TreeMap<String, String>();
        files.put("", out.toString());
        return files;
    }

    private static void claim(Identifiers identifiers, EnumDef e) {
        identifiers.claim("", snake(e.name()), e.name(), e.line());
        for (EnumDef.Value v : e.values()) {
            identifiers.claim(e.name(), upper(v.name()), e.name() + "." + v.name(), v.line());
        }
    }

    private static void claim(Identifiers identifiers, StructDef s) {
        identifiers.claim("struct", s.name(), s.name(), s.line());
        identifiers.claim("", s.name(), s.name(), s.line());
        identifiers.claim("", upper(s.name()), "the table of " + s.name(), s.line());
        identifiers.claim("", s.name() + "Builder", "the builder of " + s.name(), s.line());
        String view = s.name();
        identifiers.claim(view, "SIZE", "the size of " + s.name(), s.line());
        String builder = s.name() + "Builder";
        identifiers.claim(builder, "start", "the start of " + builder, s.line());
        for (FieldDef f : s.fields()) {
            String what = s.name() + "." + f.name();
            identifiers.claim(view, field(f.name()), what, f.line());
            identifiers.claim(builder, field(f.name()), what, f.line());
            if (f.type() instanceof Type.StructRef) {
                identifiers.claim(view, upper(f.name()) + "_AT", "the place of " + what, f.line());
            }
            if (f.type() instanceof Type.ListOf) {
                identifiers.claim(view, field(f.name()) + "_at", "an element of " + what, f.line());
            }
        }
    }

    private Set<String> reachable(Schema schema) {
        var names = new LinkedHashSet<String>();
        if (roots.isEmpty()) {
            schema.structs().forEach(s -> names.add(s.name()));
            schema.enums().forEach(e -> names.add(e.name()));
            return names;
        }
        roots.forEach(root -> reach(schema, schema.struct(root), names));
        return names;
    }

    private static void reach(Schema schema, StructDef struct, Set<String> names) {
        if (names.add(struct.name())) {
            struct.fields().forEach(f -> reach(schema, f.type(), names));
        }
    }

    private static void reach(Schema schema, Type type, Set<String> names) {
        switch (type) {
            case Scalar _, Type.Run _, Type.FixedBytes _ -> {}
            case Type.EnumRef(String name) -> names.add(name);
            case Type.StructRef(String name) -> reach(schema, schema.struct(name), names);
            case Type.ListOf(Type element) -> reach(schema, element, names);
        }
    }

    private static void constants(StringBuilder out, EnumDef e) {
        out.append("\npub mod ").append(snake(e.name())).append(" {\n");
        for (EnumDef.Value v : e.values()) {
            line(out, "    pub const %s: u16 = %d;", upper(v.name()), v.number());
        }
        out.append("}\n");
    }

    private static void table(StringBuilder out, Schema schema, StructDef s) {
        var pointers = new ArrayList<String>();
        var tails = new ArrayList<String>();
        var enums = new ArrayList<String>();
        for (FieldDef f : s.fields()) {
            switch (f.type()) {
                case Scalar _, Type.FixedBytes _ -> {}
                case Type.Run run ->
                        tails.add(
                                "zap::Tail { at: %d, text: %b }"
                                        .formatted(f.offset(), run == Type.Run.TEXT));
                case Type.EnumRef(String name) ->
                        enums.add(
                                "zap::Enum { at: %d, max: %d }"
                                        .formatted(f.offset(), max(schema.enumOf(name))));
                case Type.StructRef(String name) ->
                        pointers.add(pointer(f, "Object(&" + upper(name) + ")"));
                case Type.ListOf(Type element) ->
                        pointers.add(pointer(f, listKind(schema, element)));
            }
        }
        out.append('\n');
        line(out, "pub static %s: zap::Desc = zap::Desc {", upper(s.name()));
        line(out, "    size: %d,", s.sizeBytes());
        array(out, "pointers", pointers);
        array(out, "tails", tails);
        array(out, "enums", enums);
        out.append("};\n");
    }

    private static String pointer(FieldDef f, String kind) {
        return "zap::Pointer { at: %d, kind: zap::Kind::%s }".formatted(f.offset(), kind);
    }

    private static void array(StringBuilder out, String name, List<String> items) {
        if (items.isEmpty()) {
            line(out, "    %s: &[],", name);
            return;
        }
        line(out, "    %s: &[", name);
        items.forEach(item -> line(out, "        %s,", item));
        out.append("    ],\n");
    }

    /** The numbers of an enum have no gaps that a reader would have to know. */
    private static int max(EnumDef e) {
        return e.values().stream().mapToInt(EnumDef.Value::number).max().orElseThrow();
    }

    private static String listKind(Schema schema, Type element) {
        return switch (schema.shapeOf(element)) {
            case PACKED, FIXED -> "Numbers(" + schema.strideOf(element) + ")";
            case INLINE -> "Records(&" + upper(((Type.StructRef) element).name()) + ")";
            case POINTERS -> "Pointers(&" + upper(((Type.StructRef) element).name()) + ")";
            case ENTRIES -> throw new IllegalStateException("not of dialect shape");
        };
    }

    private static void view(StringBuilder out, Schema schema, StructDef s) {
        out.append("\n#[derive(Clone, Copy)]\n");
        line(out, "pub struct %s<'a>(pub zap::View<'a>);", s.name());
        line(out, "\nimpl<'a> %s<'a> {", s.name());
        line(out, "    pub const SIZE: u32 = %d;", s.sizeBytes());
        for (FieldDef f : s.fields()) {
            accessor(out, schema, f);
        }
        out.append("}\n");
    }

    private static void accessor(StringBuilder out, Schema schema, FieldDef f) {
        String name = field(f.name());
        int at = f.offset();
        switch (f.type()) {
            case Scalar scalar -> getter(out, name, rust(scalar), read(scalar, at));
            case Type.EnumRef _ -> getter(out, name, "u16", "self.0.u16(" + at + ")");
            case Type.Run _ -> getter(out, name, "&'a [u8]", "self.0.bytes(" + at + ")");
            case Type.FixedBytes(int n) ->
                    getter(out, name, "&'a [u8]", "self.0.fixed(" + at + ", " + n + ")");
            case Type.StructRef(String child) -> {
                line(out, "    pub const %s_AT: u32 = %d;", upper(f.name()), at);
                getter(
                        out,
                        name,
                        "Option<" + child + "<'a>>",
                        "self.0.child(" + at + ").map(" + child + ")");
            }
            case Type.ListOf(Type element) -> list(out, schema, f, element);
        }
    }

    private static void list(StringBuilder out, Schema schema, FieldDef f, Type element) {
        String name = field(f.name());
        getter(out, name, "zap::List<'a>", "self.0.list(" + f.offset() + ")");
        if (element instanceof Type.StructRef(String child)) {
            String read =
                    switch (schema.shapeOf(element)) {
                        case POINTERS -> "pointer(i)";
                        case INLINE -> "record(i, " + schema.strideOf(element) + ")";
                        case PACKED, FIXED, ENTRIES -> throw new IllegalStateException("a struct");
                    };
            line(out, "    #[inline]");
            line(out, "    pub fn %s_at(self, i: u32) -> %s<'a> {", name, child);
            line(out, "        %s(self.0.list(%d).%s)", child, f.offset(), read);
            line(out, "    }");
        }
    }

    private static void getter(StringBuilder out, String name, String type, String body) {
        line(out, "    #[inline]");
        line(out, "    pub fn %s(self) -> %s {", name, type);
        line(out, "        %s", body);
        line(out, "    }");
    }

    private static String read(Scalar scalar, int at) {
        return switch (scalar) {
            case BOOL -> "self.0.bool(" + at + ")";
            case U8 -> "self.0.fixed(" + at + ", 1)[0]";
            case U16 -> "self.0.u16(" + at + ")";
            case U32, F32 -> "self.0.u32(" + at + ")";
            case U64, F64 -> "self.0.u64(" + at + ")";
            case I8 -> "self.0.fixed(" + at + ", 1)[0] as i8";
            case I16 -> "self.0.u16(" + at + ") as i16";
            case I32 -> "self.0.u32(" + at + ") as i32";
            case I64 -> "self.0.u64(" + at + ") as i64";
        };
    }

    /** Floats are moved as their bits. */
    private static String rust(Scalar scalar) {
        return switch (scalar) {
            case BOOL, U8, U16, U32, U64, I8, I16, I32, I64 -> scalar.word();
            case F32 -> "u32";
            case F64 -> "u64";
        };
    }

    private static void builder(StringBuilder out, StructDef s) {
        String name = s.name() + "Builder";
        line(out, "\npub struct %s(pub u32);", name);
        line(out, "\nimpl %s {", name);
        line(out, "    #[inline]");
        line(out, "    pub fn start(w: &mut zap::Writer) -> %s {", name);
        line(out, "        %s(w.start(%d))", name, s.sizeBytes());
        line(out, "    }");
        for (FieldDef f : s.fields()) {
            setter(out, f);
        }
        out.append("}\n");
    }

    private static void setter(StringBuilder out, FieldDef f) {
        int at = f.offset();
        switch (f.type()) {
            case Scalar scalar -> put(out, f, "v: " + rust(scalar), write(scalar, at));
            case Type.EnumRef _ -> put(out, f, "v: u16", "w.put_u16(self.0 + " + at + ", v)");
            case Type.Run _ -> put(out, f, "v: &[u8]", "w.put_bytes(self.0 + " + at + ", v)");
            case Type.FixedBytes(int n) ->
                    put(out, f, "v: &[u8; " + n + "]", "w.put_fixed(self.0 + " + at + ", v)");
            case Type.StructRef _ ->
                    put(out, f, "child: u32", "w.put_child(self.0 + " + at + ", child)");
            case Type.ListOf _ ->
                    put(
                            out,
                            f,
                            "list: u32, count: u32",
                            "w.put_list(self.0 + " + at + ", list, count)");
        }
    }

    private static String write(Scalar scalar, int at) {
        return switch (scalar) {
            case BOOL -> "w.put_bool(self.0 + " + at + ", v)";
            case U8 -> "w.put_fixed(self.0 + " + at + ", &[v])";
            case I8 -> "w.put_fixed(self.0 + " + at + ", &[v as u8])";
            case U16 -> "w.put_u16(self.0 + " + at + ", v)";
            case I16 -> "w.put_u16(self.0 + " + at + ", v as u16)";
            case U32, F32 -> "w.put_u32(self.0 + " + at + ", v)";
            case I32 -> "w.put_u32(self.0 + " + at + ", v as u32)";
            case U64, F64 -> "w.put_u64(self.0 + " + at + ", v)";
            case I64 -> "w.put_u64(self.0 + " + at + ", v as u64)";
        };
    }

    private static void put(StringBuilder out, FieldDef f, String parameters, String body) {
        line(out, "    #[inline]");
        line(out, "    pub fn %s(&self, w: &mut zap::Writer, %s) {", field(f.name()), parameters);
        line(out, "        %s", body);
        line(out, "    }");
    }

    @SuppressWarnings("AnnotateFormatMethod") // every format is in this file
    private static void line(StringBuilder out, String format, Object... arguments) {
        out.append(format.formatted(arguments)).append('\n');
    }

    private static String field(String name) {
        String snake = snake(name);
        return KEYWORDS.contains(snake) ? snake + "_" : snake;
    }

    private static String upper(String name) {
        return snake(name).toUpperCase(Locale.ROOT);
    }

    /** {@code inDoubt} and {@code InDoubt} are {@code in_doubt}. */
    private static String snake(String name) {
        var out = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c) && i > 0 && !Character.isUpperCase(name.charAt(i - 1))) {
                out.append('_');
            }
            out.append(Character.toLowerCase(c));
        }
        return out.toString();
    }
}
