package ai.hanzo.dev.zap.schema;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The identifiers that an emitter gives to what a schema declares. What two declarations would both
 * be, or what is a word of the language, is refused with its line. One thread.
 */
final class Identifiers {
    /** No identifier is empty. */
    private static final Pattern NONE = Pattern.compile("");

    private final String file;
    private final String language;
    private final Set<String> reserved;
    private final Pattern forms;

    /** Scope and identifier → what took it. */
    private final Map<String, Owner> taken = new HashMap<>();

    private record Owner(String what, int line) {}

    Identifiers(String file, String language, Set<String> reserved) {
        this(file, language, reserved, NONE);
    }

    /**
     * @param forms of identifiers that are not free either
     */
    Identifiers(String file, String language, Set<String> reserved, Pattern forms) {
        this.file = file;
        this.language = language;
        this.reserved = reserved;
        this.forms = forms;
    }

    /**
     * {@code what} becomes {@code identifier}.
     *
     * @param scope where it must be the only one; empty for the whole file
     */
    void claim(String scope, String identifier, String what, int line) {
        if (reserved.contains(identifier) || forms.matcher(identifier).matches()) {
            throw new SchemaException(
                    file,
                    line,
                    "%s would be %s, which %s has for itself: rename it"
                            .formatted(what, identifier, language));
        }
        Owner earlier = taken.putIfAbsent(scope + "/" + identifier, new Owner(what, line));
        if (earlier != null) {
            throw new SchemaException(
                    file,
                    Math.max(line, earlier.line()),
                    "%s and %s would both be %s in %s: rename one"
                            .formatted(earlier.what(), what, identifier, language));
        }
    }

    /** What is left of a name when case and underscores are taken away; empty if nothing is. */
    static String folded(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }
}
