package ai.hanzo.dev.zap;

import ai.hanzo.dev.zap.Layout.Kind;
import ai.hanzo.dev.zap.Layout.Slot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A read of a malformed vector, such as {@code obj@4.list@0.u32[1]}: steps from the root, parted by
 * dots. {@code name@offset[:argument]} goes on from an object, {@code name[index[:argument]]} from
 * a list.
 */
final class VectorPath {
    /** Steps that are of a list and not of an element of it. */
    private static final Set<String> WHOLE_LIST =
            Set.of("isnull", "len", "count", "raw", "bytes", "each");

    private ZapReader reader;
    private final List<Step> steps;

    VectorPath(ZapReader reader, String path) {
        this.reader = reader;
        this.steps = Step.parse(path);
    }

    /**
     * A step; an argument that is not given is 0.
     *
     * @param hasNumber whether an offset or index was given
     */
    private record Step(String name, boolean hasNumber, long number, int argument) {
        private static final Pattern FORM =
                Pattern.compile(
                        "([a-zA-Z0-9]+)(?:@(\\d+)(?::(\\d+))?|\\[(-?\\d+)(?::(\\d+))?\\])?");

        static List<Step> parse(String path) {
            var steps = new ArrayList<Step>();
            for (String part : path.split("\\.", -1)) {
                Matcher form = FORM.matcher(part);
                if (!form.matches()) {
                    throw new IllegalArgumentException(
                            "a step that cannot be read: '" + part + "' of " + path);
                }
                String number = form.group(2) == null ? form.group(4) : form.group(2);
                String argument = form.group(3) == null ? form.group(5) : form.group(3);
                steps.add(
                        new Step(
                                form.group(1),
                                number != null,
                                number == null ? 0 : Long.parseLong(number),
                                argument == null ? 0 : Integer.parseInt(argument)));
            }
            return steps;
        }

        /** The step, which needs an index. */
        Step indexed() {
            if (!hasNumber) {
                throw new IllegalArgumentException("a step without its index: " + this);
            }
            return this;
        }

        int offset() {
            return (int) number;
        }

        /** An index out of the range of an int is out of the range of every list. */
        int index() {
            return number < 0 || number > Integer.MAX_VALUE ? -1 : (int) number;
        }
    }

    String read() {
        return object(reader.root(), 0);
    }

    private String object(long object, int at) {
        Step step = stepAt(at, "obj", "object", "list", "listS");
        int field = step.offset();
        return switch (step.name()) {
            case "isnull" -> String.valueOf(reader.isNull(object));
            case "bool" -> String.valueOf(reader.bool(object, field));
            case "u8" -> String.valueOf(reader.u8(object, field));
            case "i8" -> String.valueOf(reader.i8(object, field));
            case "u16" -> String.valueOf(reader.u16(object, field));
            case "i16" -> String.valueOf(reader.i16(object, field));
            case "u32" -> String.valueOf(reader.u32(object, field));
            case "i32" -> String.valueOf(reader.i32(object, field));
            case "u64" -> Long.toUnsignedString(reader.i64(object, field));
            case "i64" -> String.valueOf(reader.i64(object, field));
            case "f32" -> String.format("0x%08x", reader.i32(object, field));
            case "f64" -> String.format("0x%016x", reader.i64(object, field));
            case "text" -> text(reader.run(object, field));
            case "textHex" -> "hex:" + VectorText.hex(raw(reader.run(object, field)));
            case "bytes" -> run(reader.run(object, field));
            case "fixed" -> run(reader.fixed(object, field, step.argument()));
            case "obj", "object" -> object(reader.child(object, field), at + 1);
            case "list" -> list(reader.list(object, field), at + 1);
            case "listS" -> list(reader.list(object, field, step.argument()), at + 1);
            case "version" -> String.valueOf(reader.version());
            case "flags" -> String.valueOf(reader.flags());
            case "size" -> String.valueOf(reader.sizeBytes());
            case "root" -> String.valueOf(reader.root());
            default -> throw new IllegalArgumentException("no such step: " + step);
        };
    }

    /** The step; it must be the last one unless it leads on. */
    private Step stepAt(int at, String... leading) {
        if (at >= steps.size()) {
            throw new IllegalArgumentException("a path that ends too early: " + steps);
        }
        Step step = steps.get(at);
        if (List.of(leading).contains(step.name()) == (at == steps.size() - 1)) {
            throw new IllegalArgumentException("a path that cannot be: " + steps);
        }
        return step;
    }

    private String list(long list, int at) {
        Step step = stepAt(at, "inline", "ptr", "objectAt");
        if (!WHOLE_LIST.contains(step.name())) {
            step.indexed();
        }
        int index = step.index();
        return switch (step.name()) {
            case "isnull" -> String.valueOf(list == 0);
            case "len", "count" -> String.valueOf(ZapReader.length(list));
            case "bool" -> String.valueOf(reader.u8At(list, index) != 0);
            case "u8" -> String.valueOf(reader.u8At(list, index));
            case "i8" -> String.valueOf((byte) reader.u8At(list, index));
            case "u16" -> String.valueOf(reader.u16At(list, index));
            case "i16" -> String.valueOf((short) reader.u16At(list, index));
            case "u32" -> String.valueOf(reader.u32At(list, index));
            case "i32" -> String.valueOf((int) reader.u32At(list, index));
            case "u64" -> Long.toUnsignedString(reader.i64At(list, index));
            case "i64" -> String.valueOf(reader.i64At(list, index));
            case "f32" -> String.format("0x%08x", reader.u32At(list, index));
            case "f64" -> String.format("0x%016x", reader.i64At(list, index));
            case "raw", "bytes" -> run(list == 0 ? 0 : reader.raw(list));
            case "fixed" -> run(reader.fixedAt(list, index, step.argument()));
            case "inline" -> object(reader.record(list, index, step.argument()), at + 1);
            case "ptr" -> object(reader.pointee(list, index), at + 1);
            case "bytesAt" -> run(entry(list, index));
            case "textAt" -> text(entry(list, index));
            case "objectAt" -> {
                reader = reader.message(entry(list, index), ZapReader.empty());
                yield object(reader.root(), at + 1);
            }
            case "each" -> each(list);
            default -> throw new IllegalArgumentException("no such step: " + step);
        };
    }

    private long entry(long list, int index) {
        var cursor = new EntryCursor().on(reader, list);
        for (int i = 0; i <= index; i++) {
            if (!cursor.next()) {
                return 0;
            }
        }
        return index < 0 ? 0 : cursor.run();
    }

    private String each(long list) {
        var cursor = new EntryCursor().on(reader, list);
        var entries = new StringJoiner(",");
        int count = 0;
        while (cursor.next()) {
            count++;
            entries.add(run(cursor.run()));
        }
        return "n=" + count + "[" + entries + "]";
    }

    private String run(long run) {
        return run == 0 ? "nil" : "hex:" + VectorText.hex(reader.copy(run));
    }

    /** A text in Go's quotes; only what would be misread is escaped. */
    private String text(long run) {
        if (reader.isStrict()) {
            reader.checkText(run);
        }
        var quoted = new StringBuilder("\"");
        for (byte b : raw(run)) {
            quoted.append(String.format("\\x%02x", b & 0xFF));
        }
        return quoted.append('"').toString();
    }

    private byte[] raw(long run) {
        return reader.copy(run);
    }

    // ---------------------------------------------------------------------------------------

    /** A layout that has every slot which the reads touch. */
    static Layout layout(List<Object> reads) {
        var root = new Node();
        for (Object read : reads) {
            root.add(Step.parse((String) Json.get(Json.map(read), "call")), 0);
        }
        return root.layout();
    }

    private static final class Node {
        private int size = 1;
        private final Map<Integer, Kind> kinds = new LinkedHashMap<>();
        private final Map<Integer, Integer> strides = new LinkedHashMap<>();
        private final Map<Integer, Node> targets = new LinkedHashMap<>();

        void add(List<Step> steps, int at) {
            Step step = steps.get(at);
            int offset = step.offset();
            size = Math.max(size, offset + 4);
            switch (step.name()) {
                case "text" -> kinds.putIfAbsent(offset, Kind.TEXT);
                case "bytes" -> kinds.putIfAbsent(offset, Kind.BYTES);
                case "obj", "object" -> {
                    kinds.putIfAbsent(offset, Kind.STRUCT);
                    target(offset).add(steps, at + 1);
                }
                case "list", "listS" -> addList(steps.get(at + 1), offset, steps, at + 1);
                default -> {}
            }
        }

        private void addList(Step step, int offset, List<Step> steps, int at) {
            switch (step.name()) {
                case "bool", "u8", "i8", "raw", "bytes" -> packed(offset, 1);
                case "u16", "i16" -> packed(offset, 2);
                case "u32", "i32", "f32" -> packed(offset, 4);
                case "u64", "i64", "f64" -> packed(offset, 8);
                case "fixed" -> packed(offset, Math.max(1, step.argument()));
                case "bytesAt", "textAt", "each" -> kinds.putIfAbsent(offset, Kind.BYTES_ENTRIES);
                case "objectAt" -> {
                    kinds.putIfAbsent(offset, Kind.MESSAGE_ENTRIES);
                    target(offset).add(steps, at + 1);
                }
                case "ptr" -> {
                    kinds.putIfAbsent(offset, Kind.POINTERS);
                    target(offset).add(steps, at + 1);
                }
                case "inline" -> {
                    kinds.putIfAbsent(offset, Kind.INLINE);
                    strides.putIfAbsent(offset, Math.max(1, step.argument()));
                    target(offset).add(steps, at + 1);
                }
                default -> {}
            }
        }

        private void packed(int offset, int stride) {
            kinds.putIfAbsent(offset, Kind.PACKED);
            strides.putIfAbsent(offset, stride);
        }

        private Node target(int offset) {
            return targets.computeIfAbsent(offset, _ -> new Node());
        }

        Layout layout() {
            var slots = new ArrayList<Slot>();
            kinds.forEach((offset, kind) -> {
                Layout target = targets.getOrDefault(offset, new Node()).layout();
                slots.add(new Slot(kind, offset, strides.getOrDefault(offset, 0), target));
            });
            return Layout.of("path", size).define(slots.toArray(Slot[]::new));
        }
    }
}
