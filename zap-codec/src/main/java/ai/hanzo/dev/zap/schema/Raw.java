package ai.hanzo.dev.zap.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A schema file as written: names are not resolved and nothing is checked. */
final class Raw {
    final String file;
    Optional<String> packageName = Optional.empty();
    Optional<Dialect> dialect = Optional.empty();
    final List<Alias> aliases = new ArrayList<>();
    final List<Struct> structs = new ArrayList<>();
    final List<EnumDef> enums = new ArrayList<>();
    final List<InterfaceDef> interfaces = new ArrayList<>();

    Raw(String file) {
        this.file = file;
    }

    /** {@code type name = type}. */
    record Alias(String name, TypeText type, int line) {}

    /** A struct; {@code size} as stated in its header. */
    record Struct(String name, OptionalInt size, List<Field> fields, int line) {}

    /** A field; without an offset it follows the field before it. */
    record Field(String name, TypeText type, OptionalInt offset, int line) {}

    /** A type as written. */
    sealed interface TypeText {
        /** A word of the language, an alias, a struct or an enum. */
        record Named(String name, int line) implements TypeText {}

        /** {@code bytes_fixed[N]}. */
        record Fixed(int length) implements TypeText {}

        /** {@code list<element>}. */
        record ListOf(TypeText element, int line) implements TypeText {}
    }
}
