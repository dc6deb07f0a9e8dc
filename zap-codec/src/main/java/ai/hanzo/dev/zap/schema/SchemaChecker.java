package ai.hanzo.dev.zap.schema;

import ai.hanzo.dev.zap.schema.Raw.TypeText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Resolves the names of a parsed file and refuses what cannot be laid out. */
final class SchemaChecker {
    private final Raw raw;
    private final Dialect dialect;

    /** Every name declared in the file, with the line of its declaration. */
    private final Map<String, Integer> declared = new HashMap<>();

    /** The same without case and underscores → as it was written. */
    private final Map<String, String> folded = new HashMap<>();

    private final Map<String, Raw.Alias> aliases = new HashMap<>();
    private final Map<String, Type> words = new HashMap<>();

    SchemaChecker(Raw raw, Dialect dialect) {
        this.raw = raw;
        this.dialect = dialect;
        for (Scalar scalar : Scalar.values()) {
            words.put(scalar.word(), scalar);
        }
        for (Type.Run run : Type.Run.values()) {
            words.put(run.toString(), run);
        }
    }

    Schema check() {
        raw.aliases.forEach(a -> declare(a.name(), a.line()));
        raw.structs.forEach(s -> declare(s.name(), s.line()));
        raw.enums.forEach(e -> declare(e.name(), e.line()));
        raw.interfaces.forEach(i -> declare(i.name(), i.line()));
        raw.aliases.forEach(a -> aliases.put(a.name(), a));
        raw.structs.forEach(s -> words.put(s.name(), new Type.StructRef(s.name())));
        raw.enums.forEach(e -> words.put(e.name(), new Type.EnumRef(e.name())));

        // An alias is checked even if nothing uses it.
        raw.aliases.forEach(a -> resolve(a.type(), a.line(), new HashSet<>(Set.of(a.name()))));
        List<StructDef> structs = raw.structs.stream().map(this::struct).toList();
        raw.enums.forEach(this::checkEnum);
        raw.interfaces.forEach(this::checkInterface);
        return new Schema(
                raw.file,
                raw.packageName.orElseThrow(),
                dialect,
                structs,
                raw.enums,
                raw.interfaces);
    }

    private void declare(String name, int line) {
        if (words.containsKey(name) || name.equals("list") || name.equals("bytes_fixed")) {
            throw refuse(line, name + " is a word of the language and cannot be declared");
        }
        Integer earlier = declared.putIfAbsent(name, line);
        if (earlier != null) {
            int later = Math.max(earlier, line);
            throw refuse(
                    later, name + " is declared twice, first in line " + Math.min(earlier, line));
        }
        distinguish(folded, name, line);
    }

    /**
     * Notes a name, and refuses one that generated code could not tell from an earlier one.
     *
     * @param before what was noted in the same place, without case and underscores
     */
    private void distinguish(Map<String, String> before, String name, int line) {
        String bare = Identifiers.folded(name);
        if (bare.isEmpty()) {
            throw refuse(line, name + " is no name: it needs a letter");
        }
        String other = before.putIfAbsent(bare, name);
        if (other != null) {
            throw refuse(
                    line, "%s and %s differ only in case or underscores".formatted(other, name));
        }
    }

    private StructDef struct(Raw.Struct struct) {
        var fields = new ArrayList<FieldDef>();
        var names = new HashSet<String>();
        var bare = new HashMap<String, String>();
        long cursor = 0;
        for (Raw.Field field : struct.fields()) {
            if (!names.add(field.name())) {
                throw refuse(
                        field.line(), struct.name() + "." + field.name() + " is declared twice");
            }
            distinguish(bare, field.name(), field.line());
            Type type = resolve(field.type(), field.line(), new HashSet<>());
            long offset = field.offset().isPresent() ? field.offset().getAsInt() : cursor;
            cursor = offset + type.slotBytes();
            if (cursor > Schema.MAX_STRUCT_BYTES) {
                throw refuse(
                        field.line(),
                        "%s.%s ends at %d, above the limit of %d bytes"
                                .formatted(
                                        struct.name(),
                                        field.name(),
                                        cursor,
                                        Schema.MAX_STRUCT_BYTES));
            }
            fields.add(new FieldDef(field.name(), type, (int) offset, field.line()));
        }
        return new StructDef(struct.name(), fields, sizeOf(struct, fields), struct.line());
    }

    private int sizeOf(Raw.Struct struct, List<FieldDef> fields) {
        FieldDef[] byOffset = fields.toArray(FieldDef[]::new);
        Arrays.sort(byOffset, Comparator.comparingInt(FieldDef::offset));
        for (int i = 1; i < byOffset.length; i++) {
            FieldDef before = byOffset[i - 1];
            FieldDef here = byOffset[i];
            if (here.offset() < before.end()) {
                throw refuse(
                        Math.max(here.line(), before.line()),
                        "%s.%s at %d overlaps %s, which ends at %d"
                                .formatted(
                                        struct.name(),
                                        here.name(),
                                        here.offset(),
                                        before.name(),
                                        before.end()));
            }
        }
        int end = byOffset[byOffset.length - 1].end();
        int stated = struct.size().orElse(end);
        if (stated < end) {
            throw refuse(
                    struct.line(),
                    "struct %s is stated to have %d bytes but its fields end at %d"
                            .formatted(struct.name(), stated, end));
        }
        return stated;
    }

    /** {@code seen} holds the aliases that lead here, to refuse a circle of them. */
    private Type resolve(TypeText text, int line, Set<String> seen) {
        return switch (text) {
            case TypeText.Fixed(int length) -> new Type.FixedBytes(length);
            case TypeText.ListOf(TypeText element, int at) ->
                    new Type.ListOf(element(resolve(element, line, seen), at));
            case TypeText.Named(String name, int at) -> {
                Raw.Alias alias = aliases.get(name);
                if (alias != null) {
                    if (!seen.add(name)) {
                        throw refuse(alias.line(), "type " + name + " is defined by itself");
                    }
                    Type type = resolve(alias.type(), alias.line(), seen);
                    seen.remove(name);
                    yield type;
                }
                yield Optional.ofNullable(words.get(name))
                        .orElseThrow(() -> refuse(at, "there is no type " + name));
            }
        };
    }

    private Type element(Type element, int line) {
        if (dialect == Dialect.SHAPE) {
            if (element instanceof Type.Run) {
                throw refuse(
                        line,
                        "list<%s> has no element stride in dialect shape: wrap it in a struct"
                                .formatted(element));
            }
            if (element instanceof Type.ListOf) {
                throw refuse(line, "a list of lists has no element stride in dialect shape");
            }
        }
        return element;
    }

    private void checkEnum(EnumDef def) {
        var words = new HashSet<String>();
        var bare = new HashMap<String, String>();
        var numbers = new HashMap<Integer, String>();
        for (EnumDef.Value value : def.values()) {
            if (!words.add(value.name())) {
                throw refuse(value.line(), def.name() + "." + value.name() + " is declared twice");
            }
            distinguish(bare, value.name(), value.line());
            String other = numbers.putIfAbsent(value.number(), value.name());
            if (other != null) {
                throw refuse(
                        value.line(),
                        "%s.%s has the number %d of %s"
                                .formatted(def.name(), value.name(), value.number(), other));
            }
        }
    }

    private void checkInterface(InterfaceDef def) {
        var names = new HashSet<String>();
        for (InterfaceDef.Method method : def.methods()) {
            if (!names.add(method.name())) {
                throw refuse(
                        method.line(), def.name() + "." + method.name() + " is declared twice");
            }
            method.parameter().ifPresent(name -> checkIsStruct(name, method));
            method.result().ifPresent(name -> checkIsStruct(name, method));
        }
    }

    private void checkIsStruct(String name, InterfaceDef.Method method) {
        if (!(words.get(name) instanceof Type.StructRef)) {
            throw refuse(
                    method.line(), method.name() + ": " + name + " is not a struct of this file");
        }
    }

    private SchemaException refuse(int line, String what) {
        return new SchemaException(raw.file, line, what);
    }
}
