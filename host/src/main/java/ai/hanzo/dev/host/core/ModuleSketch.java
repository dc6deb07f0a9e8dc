package ai.hanzo.dev.host.core;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What the frame of a WebAssembly file says, without its code: read in one walk over the bytes, so
 * that a file can be told of, and refused, before a parser that believes more looks at it.
 *
 * @param imports module and name of each, with its kind
 * @param exports name of each, with its type, sorted
 * @param pages of the first memory at the start; 0 if there is none
 * @param problems what is not as the format has it, or beyond what a core may have: a sentence each
 */
record ModuleSketch(List<String> imports, List<String> exports, long pages, List<String> problems) {
    /** {@code \0asm} and version 1, little-endian (WebAssembly core specification, 5.5.16). */
    private static final int MAGIC = 0x6d736100;

    private static final int HEADER_BYTES = 8;

    /** Imports, exports and types are told of up to here; a core has some thirty types. */
    private static final int MOST_TOLD = 1_000;

    /**
     * No function of a core is larger: JVM methods stop at 64 KiB, and what is nested in a larger
     * one would keep a parser busy for minutes.
     */
    static final int MAX_BODY_BYTES = 64 << 10;

    /** Sections as the specification numbers them. */
    private static final List<String> SECTIONS =
            List.of(
                    "custom",
                    "type",
                    "import",
                    "function",
                    "table",
                    "memory",
                    "global",
                    "export",
                    "start",
                    "element",
                    "code",
                    "data",
                    "data count",
                    "tag");

    ModuleSketch {
        imports = List.copyOf(imports);
        exports = List.copyOf(exports);
        problems = List.copyOf(problems);
    }

    /** Reads a file; never throws for what is in it. */
    static ModuleSketch of(byte[] wasm) {
        var walk = new Walk();
        walk.file(wasm);
        return new ModuleSketch(
                walk.imports,
                walk.exports.stream().map(walk::line).sorted().toList(),
                walk.pages,
                walk.problems);
    }

    private enum Kind {
        FUNCTION,
        TABLE,
        MEMORY,
        GLOBAL,
        TAG;

        static Kind of(int number, int at) throws WasmBytes.Malformed {
            if (number >= values().length) {
                throw new WasmBytes.Malformed("it has the unknown kind " + number, at);
            }
            return values()[number];
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private record Export(String name, Kind kind, long index) {}

    private static final class Walk {
        private final List<String> problems = new ArrayList<>();
        private final List<String> imports = new ArrayList<>();
        private final List<Export> exports = new ArrayList<>();
        private final List<String> types = new ArrayList<>();

        /** Of each function, the imported ones first, up to {@link #MOST_TOLD}: its type. */
        private final List<Long> functionTypes = new ArrayList<>();

        /** How many there are of each kind. */
        private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);

        private long pages;

        void file(byte[] wasm) {
            if (wasm.length < HEADER_BYTES
                    || java.nio.ByteBuffer.wrap(wasm)
                                    .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                                    .getLong()
                            != (1L << 32 | MAGIC)) {
                problems.add(
                        "it is not a WebAssembly module: it does not begin with \\0asm and"
                                + " version 1");
                return;
            }
            var file = new WasmBytes(wasm, HEADER_BYTES, wasm.length);
            try {
                while (!file.isAtEnd()) {
                    int id = file.u8();
                    section(id, file.part(file.length()));
                }
            } catch (WasmBytes.Malformed e) {
                problems.add("the module is cut short or damaged: " + e.getMessage());
            }
            exports.forEach(this::check);
        }

        private void section(int id, WasmBytes section) {
            if (id >= SECTIONS.size()) {
                problems.add("the module has a section of the unknown number " + id);
                return;
            }
            try {
                body(id, section);
            } catch (WasmBytes.Malformed e) {
                problems.add(
                        "the "
                                + SECTIONS.get(id)
                                + " section of the module cannot be read: "
                                + e.getMessage());
            }
        }

        private void body(int id, WasmBytes section) throws WasmBytes.Malformed {
            switch (id) {
                case 0 -> section.name();
                case 1 -> types(section);
                case 2 -> imports(section);
                case 3 -> functions(section);
                case 4 -> add(Kind.TABLE, section.count());
                case 5 -> memories(section);
                case 6 -> add(Kind.GLOBAL, section.count());
                case 7 -> exports(section);
                case 8 -> problems.add("the module has a start function, which no core may have");
                case 10 -> code(section);
                default -> {
                    // what lies in it is checked when it is put in place
                }
            }
        }

        /** The number of things, of which no more than {@link #MOST_TOLD} are told of. */
        private int bounded(WasmBytes section, String what) throws WasmBytes.Malformed {
            int count = section.count();
            if (count > MOST_TOLD) {
                problems.add(
                        "the module has %d %s, a core has at most %d"
                                .formatted(count, what, MOST_TOLD));
            }
            return Math.min(count, MOST_TOLD);
        }

        private void add(Kind kind, long more) {
            counts.merge(kind, more, Long::sum);
        }

        private void types(WasmBytes section) throws WasmBytes.Malformed {
            int count = bounded(section, "types");
            for (int i = 0; i < count; i++) {
                int at = section.at();
                if (section.u8() != 0x60) {
                    throw new WasmBytes.Malformed("it has a type that is no function's", at);
                }
                types.add(values(section) + " -> " + values(section));
            }
        }

        private static String values(WasmBytes section) throws WasmBytes.Malformed {
            int count = section.count();
            if (count > MOST_TOLD) {
                throw new WasmBytes.Malformed(
                        "it has a type of " + count + " values", section.at());
            }
            var words = new ArrayList<String>();
            for (int i = 0; i < count; i++) {
                int value = section.u8();
                words.add(
                        switch (value) {
                            case 0x7F -> "I32";
                            case 0x7E -> "I64";
                            case 0x7D -> "F32";
                            case 0x7C -> "F64";
                            default -> "0x" + Integer.toHexString(value);
                        });
            }
            return words.toString();
        }

        private void imports(WasmBytes section) throws WasmBytes.Malformed {
            int count = bounded(section, "imports");
            for (int i = 0; i < count; i++) {
                String name = section.name() + "." + section.name();
                Kind kind = Kind.of(section.u8(), section.at() - 1);
                imports.add(name + " " + kind);
                add(kind, 1);
                switch (kind) {
                    case FUNCTION -> functionTypes.add(section.u32());
                    case TABLE -> {
                        section.u8();
                        limits(section);
                    }
                    case MEMORY -> limits(section);
                    case GLOBAL, TAG -> {
                        section.u8();
                        section.skipNumber();
                    }
                }
            }
        }

        private void functions(WasmBytes section) throws WasmBytes.Malformed {
            int count = section.count();
            add(Kind.FUNCTION, count);
            for (int i = 0; i < count; i++) {
                long type = section.u32();
                if (functionTypes.size() < MOST_TOLD) {
                    functionTypes.add(type);
                }
            }
        }

        private void memories(WasmBytes section) throws WasmBytes.Malformed {
            int count = section.count();
            add(Kind.MEMORY, count);
            if (count > 0) {
                pages = limits(section);
            }
        }

        /** Answers the lower one. */
        private static long limits(WasmBytes section) throws WasmBytes.Malformed {
            int flags = section.u8();
            long first = section.u32();
            if ((flags & 1) != 0) {
                section.u32();
            }
            return first;
        }

        private void exports(WasmBytes section) throws WasmBytes.Malformed {
            int count = bounded(section, "exports");
            Set<String> names = new HashSet<>();
            for (int i = 0; i < count; i++) {
                String name = section.name();
                Kind kind = Kind.of(section.u8(), section.at() - 1);
                exports.add(new Export(name, kind, section.u32()));
                if (!names.add(name)) {
                    problems.add("the module has the export " + name + " twice");
                }
            }
        }

        private void code(WasmBytes section) throws WasmBytes.Malformed {
            int count = section.count();
            for (int i = 0; i < count; i++) {
                int length = section.length();
                section.part(length);
                if (length > MAX_BODY_BYTES) {
                    problems.add(
                            "function %d of the module has %d bytes of code, a core's has at most %d"
                                    .formatted(i, length, MAX_BODY_BYTES));
                    return;
                }
            }
        }

        private void check(Export export) {
            if (export.index() >= counts.getOrDefault(export.kind(), 0L)) {
                problems.add(
                        "the export %s names the %s %d, which the module does not have"
                                .formatted(export.name(), export.kind().word(), export.index()));
            }
        }

        private String line(Export export) {
            if (export.kind() == Kind.FUNCTION && export.index() < functionTypes.size()) {
                long type = functionTypes.get((int) export.index());
                if (type < types.size()) {
                    return export.name() + " " + types.get((int) type);
                }
            }
            return export.name() + " " + export.kind();
        }
    }
}
