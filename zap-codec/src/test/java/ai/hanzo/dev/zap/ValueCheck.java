package ai.hanzo.dev.zap;

import ai.hanzo.dev.zap.VectorRunner.VectorFailure;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Compares what a reader answers with the values of a vector. */
final class ValueCheck {
    private final ZapReader reader;

    ValueCheck(ZapReader reader) {
        this.reader = reader;
    }

    void struct(long object, List<Object> schema, Map<String, Object> values, String path) {
        VectorFailure.unless(
                values.size() <= schema.size(), path + " has values that its schema has not");
        for (Object entry : schema) {
            Map<String, Object> field = Json.map(entry);
            String name = (String) Json.get(field, "name");
            if (!values.containsKey(name)) {
                throw new VectorFailure("no value for " + path + "." + name);
            }
            field(object, field, Json.get(values, name), path + "." + name);
        }
    }

    private void field(long object, Map<String, Object> field, Object expected, String path) {
        int at = integer(field, "offset");
        String type = (String) Json.get(field, "type");
        switch (type) {
            case "bool" -> VectorFailure.unlessEqual(expected, reader.bool(object, at), path);
            case "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64" ->
                    number(expected, numberAt(type, object, at), path);
            case "f32" -> bits(expected, reader.u32(object, at), 8, path);
            case "f64" -> bits(expected, reader.i64(object, at), 16, path);
            case "text" -> text(expected, reader.run(object, at), path);
            case "bytes" -> run(expected, reader.run(object, at), path);
            case "bytes_fixed" ->
                    run(expected, reader.fixed(object, at, integer(field, "n")), path);
            case "struct" -> child(expected, reader.child(object, at), field, path);
            default -> list(expected, object, field, path);
        }
    }

    private BigInteger numberAt(String type, long object, int at) {
        return switch (type) {
            case "u8" -> BigInteger.valueOf(reader.u8(object, at));
            case "i8" -> BigInteger.valueOf(reader.i8(object, at));
            case "u16" -> BigInteger.valueOf(reader.u16(object, at));
            case "i16" -> BigInteger.valueOf(reader.i16(object, at));
            case "u32" -> BigInteger.valueOf(reader.u32(object, at));
            case "i32" -> BigInteger.valueOf(reader.i32(object, at));
            case "i64" -> BigInteger.valueOf(reader.i64(object, at));
            default -> new BigInteger(Long.toUnsignedString(reader.i64(object, at)));
        };
    }

    private static void number(Object expected, BigInteger found, String path) {
        VectorFailure.unlessEqual(VectorText.number(expected), found, path);
    }

    private static void bits(Object expected, long found, int digits, String path) {
        Object bits = expected instanceof Map<?, ?> m ? Json.get(Json.map(m), "bits") : expected;
        String hex = String.format("%0" + digits + "x", found);
        VectorFailure.unlessEqual(bits, "0x" + hex, path);
    }

    private void child(Object expected, long object, Map<String, Object> field, String path) {
        VectorFailure.unlessEqual(Json.isNull(expected), reader.isNull(object), path + " is null");
        if (!Json.isNull(expected)) {
            struct(object, Json.list(Json.get(field, "fields")), Json.map(expected), path);
        }
    }

    private void text(Object expected, long run, String path) {
        if (expected instanceof String text) {
            String found = reader.text(run);
            if (!text.equals(asGoWritesIt(reader.copy(run)))) {
                VectorFailure.unlessEqual(text, found, path);
            }
        } else if (Json.isNull(expected)) {
            VectorFailure.unlessEqual("", reader.text(run), path);
        } else {
            digest(expected, reader.copy(run), path);
        }
    }

    /**
     * What is not UTF-8 came into the file as U+FFFD, by Go for each byte, by Java for each
     * sequence that is cut.
     */
    private static String asGoWritesIt(byte[] utf8) {
        var text = new StringBuilder();
        for (int at = 0; at < utf8.length; ) {
            int length = 4;
            while (length > 0 && (at + length > utf8.length || !isOneChar(utf8, at, length))) {
                length--;
            }
            text.append(
                    length == 0 ? "\uFFFD" : new String(utf8, at, length, StandardCharsets.UTF_8));
            at += Math.max(length, 1);
        }
        return text.toString();
    }

    private static boolean isOneChar(byte[] utf8, int at, int length) {
        return Utf8.isValid(utf8, at, length)
                && new String(utf8, at, length, StandardCharsets.UTF_8).codePoints().count() == 1;
    }

    /** Null and empty are told apart: null is the null run. */
    private void run(Object expected, long run, String path) {
        VectorFailure.unlessEqual(Json.isNull(expected), run == 0, path + " is null");
        if (expected instanceof String hex) {
            VectorFailure.unlessEqual(hex, VectorText.hex(reader.copy(run)), path);
        } else if (!Json.isNull(expected)) {
            digest(expected, reader.copy(run), path);
        }
    }

    private static void digest(Object expected, byte[] found, String path) {
        Map<String, Object> map = Json.map(expected);
        number(Json.get(map, "len"), BigInteger.valueOf(found.length), path + " length");
        VectorFailure.unlessEqual(Json.get(map, "sha256"), VectorText.sha256(found), path);
    }

    // ---------------------------------------------------------------------------------------

    private void list(Object expected, long object, Map<String, Object> field, String path) {
        String word = (String) Json.get(field, "type");
        if (!word.startsWith("list_")) {
            throw new IllegalArgumentException("no such type: " + word);
        }
        String type = word.substring("list_".length());
        long list = reader.list(object, integer(field, "offset"));
        VectorFailure.unlessEqual(Json.isNull(expected), list == 0, path + " is null");
        if (Json.isNull(expected)) {
            return;
        }
        switch (type) {
            case "raw" -> raw(expected, list, path);
            case "fixed" -> {
                int n = integer(field, "n");
                elements(expected, list, path, (i, e) -> run(e, reader.fixedAt(list, i, n), path));
            }
            case "inline" -> {
                int stride = integer(field, "stride");
                elements(
                        expected,
                        list,
                        path,
                        (i, e) -> child(e, reader.record(list, i, stride), field, path));
            }
            case "ptr" ->
                    elements(
                            expected,
                            list,
                            path,
                            (i, e) -> child(e, reader.pointee(list, i), field, path));
            case "var_bytes", "var_text", "var_struct" ->
                    entries(expected, list, type, field, path);
            default -> {
                widthOf(type);
                elements(expected, list, path, (i, e) -> scalar(e, type, list, i, path));
            }
        }
    }

    private void raw(Object expected, long list, String path) {
        if (expected instanceof Map<?, ?> map && map.containsKey("count")) {
            elements(expected, list, path, (i, e) -> scalar(e, "u8", list, i, path));
        } else {
            run(expected, reader.raw(list), path);
        }
    }

    private void scalar(Object expected, String type, long list, int index, String path) {
        String where = path + "[" + index + "]";
        switch (type) {
            case "bool" ->
                    VectorFailure.unlessEqual(expected, reader.u8At(list, index) != 0, where);
            case "f32" -> bits(expected, reader.u32At(list, index), 8, where);
            case "f64" -> bits(expected, reader.i64At(list, index), 16, where);
            default -> number(expected, element(type, list, index), where);
        }
    }

    private BigInteger element(String type, long list, int index) {
        long value =
                switch (widthOf(type)) {
                    case 1 -> reader.u8At(list, index);
                    case 2 -> reader.u16At(list, index);
                    case 4 -> reader.u32At(list, index);
                    default -> reader.i64At(list, index);
                };
        return switch (type) {
            case "i8" -> BigInteger.valueOf((byte) value);
            case "i16" -> BigInteger.valueOf((short) value);
            case "i32" -> BigInteger.valueOf((value << 32) >> 32);
            case "i64" -> BigInteger.valueOf(value);
            default -> new BigInteger(Long.toUnsignedString(value));
        };
    }

    static int widthOf(String type) {
        return switch (type) {
            case "u8", "i8", "bool" -> 1;
            case "u16", "i16" -> 2;
            case "u32", "i32", "f32" -> 4;
            case "u64", "i64", "f64" -> 8;
            default -> throw new IllegalArgumentException("no such type: list_" + type);
        };
    }

    /** All elements, or only the first and the last when the vector names no more. */
    private static void elements(
            Object expected, long list, String path, BiConsumer<Integer, Object> check) {
        int count = ZapReader.length(list);
        if (expected instanceof Map<?, ?>) {
            Map<String, Object> map = Json.map(expected);
            number(Json.get(map, "count"), BigInteger.valueOf(count), path + " count");
            VectorFailure.unless(count > 0, path + " is counted and empty");
            check.accept(0, Json.get(map, "first"));
            check.accept(count - 1, Json.get(map, "last"));
            return;
        }
        List<Object> all = Json.list(expected);
        VectorFailure.unlessEqual(all.size(), count, path + " count");
        for (int i = 0; i < count; i++) {
            check.accept(i, all.get(i));
        }
    }

    private void entries(
            Object expected, long list, String type, Map<String, Object> field, String path) {
        boolean isShort = expected instanceof Map<?, ?>;
        Map<String, Object> ends = isShort ? Json.map(expected) : Map.of();
        List<Object> all = isShort ? List.of() : Json.list(expected);
        int count =
                isShort ? VectorText.number(Json.get(ends, "count")).intValueExact() : all.size();
        VectorFailure.unlessEqual(count, ZapReader.length(list), path + " count");
        var cursor = new EntryCursor().on(reader, list);
        for (int i = 0; i < count; i++) {
            VectorFailure.unless(cursor.next(), path + " ends at " + i);
            Object entry =
                    isShort
                            ? (i == 0 ? Json.get(ends, "first") : Json.get(ends, "last"))
                            : all.get(i);
            if (!isShort || i == 0 || i == count - 1) {
                entry(entry, cursor.run(), type, field, path + "[" + i + "]");
            }
        }
        VectorFailure.unless(!cursor.next(), path + " goes on");
    }

    private void entry(
            Object expected, long run, String type, Map<String, Object> field, String path) {
        switch (type) {
            case "var_text" -> text(expected, run, path);
            case "var_bytes" -> run(expected, run, path);
            default -> {
                ZapReader inner = reader.message(run, ZapReader.empty());
                long root = inner.root();
                VectorFailure.unlessEqual(
                        Json.isNull(expected), inner.isNull(root), path + " is null");
                if (!Json.isNull(expected)) {
                    List<Object> fields = Json.list(Json.get(field, "fields"));
                    new ValueCheck(inner).struct(root, fields, Json.map(expected), path);
                }
            }
        }
    }

    private static int integer(Map<String, Object> field, String key) {
        return VectorText.number(Json.get(field, key)).intValueExact();
    }
}
