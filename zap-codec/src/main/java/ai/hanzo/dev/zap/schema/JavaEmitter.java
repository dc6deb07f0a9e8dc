package ai.hanzo.dev.zap.schema;

import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Emits Java: for each struct {@code X} an {@code XView} that reads in place and an {@code
 * XBuilder} that writes in the dialect's order, for each enum a Java enum, and {@code Layouts} for
 * the strict walk. Everything goes into one package and needs {@code ai.hanzo.dev.zap}.
 */
final class JavaEmitter implements Emitter {
    /** What no class can be called (JLS 3.9). */
    private static final Set<String> KEYWORDS =
            Set.of(
                    ("abstract assert boolean break byte case catch char class const continue"
                                    + " default do double else enum extends final finally float for"
                                    + " goto if implements import instanceof int interface long"
                                    + " native new package private protected public record return"
                                    + " sealed short static strictfp super switch synchronized this"
                                    + " throw throws transient true try var void volatile while"
                                    + " yield false null permits")
                            .split(" "));

    /** Words that a method cannot be called, and methods that a view or an object has already. */
    private static final Set<String> TAKEN =
            Set.of(
                    "abstract",
                    "assert",
                    "boolean",
                    "break",
                    "byte",
                    "case",
                    "catch",
                    "char",
                    "class",
                    "const",
                    "continue",
                    "default",
                    "do",
                    "double",
                    "else",
                    "enum",
                    "extends",
                    "final",
                    "finally",
                    "float",
                    "for",
                    "goto",
                    "if",
                    "implements",
                    "import",
                    "instanceof",
                    "int",
                    "interface",
                    "long",
                    "native",
                    "new",
                    "package",
                    "private",
                    "protected",
                    "public",
                    "return",
                    "short",
                    "static",
                    "strictfp",
                    "super",
                    "switch",
                    "synchronized",
                    "this",
                    "throw",
                    "throws",
                    "transient",
                    "try",
                    "void",
                    "volatile",
                    "while",
                    "true",
                    "false",
                    "null",
                    "_",
                    "isNull",
                    "position",
                    "reader",
                    "at",
                    "hashCode",
                    "getClass",
                    "notify",
                    "notifyAll",
                    "wait",
                    "toString",
                    "clone",
                    "finalize",
                    "toMessage",
                    "endFrom",
                    "writer",
                    "out",
                    "end",
                    "object");

    private final String packageName;

    JavaEmitter(String packageName) {
        this.packageName = packageName;
    }

    @Override
    public SortedMap<String, String> emit(Schema schema) {
        var identifiers = new Identifiers(schema.file(), "Java", KEYWORDS);
        identifiers.claim("", "Layouts", "the table of layouts", 1);
        var files = new TreeMap<String, String>();
        for (EnumDef def : schema.enums()) {
            identifiers.claim("", def.name(), def.name(), def.line());
            files.put(def.name() + ".java", new JavaText(schema, packageName).enumOf(def));
        }
        for (StructDef def : schema.structs()) {
            identifiers.claim("", def.name() + "View", "the view of " + def.name(), def.line());
            identifiers.claim(
                    "", def.name() + "Builder", "the builder of " + def.name(), def.line());
            var view = new JavaView(schema, new JavaText(schema, packageName));
            files.put(def.name() + "View.java", view.text(def));
            var builder = new JavaBuilder(schema, new JavaText(schema, packageName));
            files.put(def.name() + "Builder.java", builder.text(def));
        }
        files.put("Layouts.java", new JavaText(schema, packageName).layouts());
        return files;
    }

    /** The method of a field. */
    static String method(FieldDef field) {
        return TAKEN.contains(field.name()) ? field.name() + "_" : field.name();
    }

    /** {@code name} with a capital, to stand behind a word. */
    static String capital(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    /** {@code modelFailed} as {@code MODEL_FAILED}. */
    static String constant(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
    }
}
