package ai.hanzo.dev.zap.schema;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Emits Java: for each struct {@code X} an {@code XView} that reads in place and an {@code
 * XBuilder} that writes in the dialect's order, for each enum a Java enum, and {@code Layouts} for
 * the strict walk. Everything goes into one package and needs {@code ai.hanzo.dev.zap}.
 */
final class JavaEmitter implements Emitter {
    /** Reserved words and literals (JLS 3.9, 3.10). */
    private static final Set<String> KEYWORDS =
            words(
                    "_ abstract assert boolean break byte case catch char class const continue"
                            + " default do double else enum extends final finally float for goto"
                            + " if implements import instanceof int interface long native new"
                            + " package private protected public return short static strictfp"
                            + " super switch synchronized this throw throws transient try void"
                            + " volatile while true false null");

    /** What the generated code means by a name: classes, and the begins of names of packages. */
    private static final Set<String> CLASSES =
            words(
                    "Object Override String StringBuilder Float Double List ZapArray ZapReader"
                            + " IllegalArgumentException ZapWriter CodecException EntryCursor"
                            + " Layout Slot Validator java ai");

    /** What no class can be called besides: words, and variables beside which it is meant. */
    private static final Set<String> NO_CLASS =
            words("permits record sealed var yield at reader index");

    /** What no method can be called when it is called by its bare name. */
    private static final Set<String> NO_METHOD = words("yield");

    /** Methods that a view, a builder or an object has already. */
    private static final Set<String> METHODS =
            words(
                    "isNull position reader at hashCode getClass notify notifyAll wait toString"
                            + " clone finalize toMessage endFrom writer out end object");

    private static final Set<String> TAKEN = union(List.of(KEYWORDS, NO_METHOD, METHODS, CLASSES));

    private static Set<String> words(String words) {
        return Set.of(words.split(" "));
    }

    private static Set<String> union(List<Set<String>> sets) {
        return sets.stream().flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether {@code word} can be a part of the name of a package. */
    static boolean isPackageWord(String word) {
        return !KEYWORDS.contains(word);
    }

    private final String packageName;

    JavaEmitter(String packageName) {
        this.packageName = packageName;
    }

    @Override
    public SortedMap<String, String> emit(Schema schema) {
        var identifiers =
                new Identifiers(schema.file(), "Java", union(List.of(KEYWORDS, NO_CLASS, CLASSES)));
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
            for (FieldDef field : def.fields()) {
                String what = def.name() + "." + field.name();
                methods(schema, field)
                        .forEach(m -> identifiers.claim(def.name(), m, what, field.line()));
            }
            var view = new JavaView(schema, new JavaText(schema, packageName));
            files.put(def.name() + "View.java", view.text(def));
            var builder = new JavaBuilder(schema, new JavaText(schema, packageName));
            files.put(def.name() + "Builder.java", builder.text(def));
        }
        files.put("Layouts.java", new JavaText(schema, packageName).layouts());
        return files;
    }

    /** The methods that {@link JavaView} makes for a field, as name and parameters. */
    private static List<String> methods(Schema schema, FieldDef field) {
        String name = field.name();
        String method = method(field);
        String has = "has" + capital(name) + "()";
        return switch (field.type()) {
            case Scalar _ -> List.of(method + "()");
            case Type.EnumRef _ -> List.of(method + "()", name + "Number()");
            case Type.Run _ -> List.of(method + "()", name + "Run()", has);
            case Type.FixedBytes _ -> List.of(method + "()", name + "Run()");
            case Type.StructRef _ -> List.of(method + "()", has);
            case Type.ListOf _ when schema.dialect() == Dialect.HEAD ->
                    List.of(method + "()", name + "List()");
            case Type.ListOf(Type element) -> {
                String list = name + "List()";
                String count = name + "Count()";
                yield switch (element) {
                    case Type.EnumRef _ ->
                            List.of(method + "(int)", list, count, name + "Number(int)");
                    case Type.FixedBytes _ ->
                            List.of(method + "(int)", list, count, name + "Run(int)");
                    case Scalar _, Type.Run _, Type.StructRef _, Type.ListOf _ ->
                            List.of(method + "(int)", list, count);
                };
            }
        };
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
