package ai.hanzo.dev.zap;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON of vector files, read into maps, lists, strings, {@link BigDecimal}, {@link Boolean} and
 * {@link #NULL}. The codec has no JSON library, so its tests bring this one.
 */
final class Json {
    /** The JSON null. */
    static final Object NULL = new Object();

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static boolean isNull(Object value) {
        return NULL.equals(value);
    }

    /** The value of a key, {@link #NULL} if there is none. */
    static Object get(Map<String, Object> map, String key) {
        return map.getOrDefault(key, NULL);
    }

    static Map<String, Object> object(String text) {
        var json = new Json(text.strip());
        Object value = json.value();
        if (json.at != json.text.length() || !(value instanceof Map<?, ?>)) {
            throw new IllegalArgumentException("not one JSON object: it ends at " + json.at);
        }
        return map(value);
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    private Object value() {
        skip();
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", NULL);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        var map = new LinkedHashMap<String, Object>();
        at++;
        while (!next('}')) {
            skip();
            String key = string();
            expect(':');
            map.put(key, value());
            next(',');
        }
        return map;
    }

    private List<Object> array() {
        var list = new ArrayList<Object>();
        at++;
        while (!next(']')) {
            list.add(value());
            next(',');
        }
        return list;
    }

    private String string() {
        var out = new StringBuilder();
        at++;
        while (text.charAt(at) != '"') {
            char c = text.charAt(at++);
            out.append(c == '\\' ? escape() : c);
        }
        at++;
        return out.toString();
    }

    private char escape() {
        char c = text.charAt(at++);
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> c;
        };
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw new IllegalArgumentException("no JSON at " + at);
        }
        at += word.length();
        return value;
    }

    private BigDecimal number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return new BigDecimal(text.substring(from, at));
    }

    private boolean next(char c) {
        skip();
        if (text.charAt(at) != c) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(char c) {
        if (!next(c)) {
            throw new IllegalArgumentException("no '" + c + "' at " + at);
        }
    }

    private void skip() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }
}
