package ai.hanzo.dev.zap.schema;

import java.util.List;

/**
 * An enum of a schema: words for the values of a u16. 0 is never one of them, so that a field which
 * was not written is not a valid value.
 *
 * @param values in the order of declaration; never empty
 * @param line of the schema file, from 1
 */
public record EnumDef(String name, List<Value> values, int line) {
    public EnumDef {
        values = List.copyOf(values);
    }

    /**
     * A word and its number.
     *
     * @param number 1 to 65535, unique in the enum
     */
    public record Value(String name, int number, int line) {}
}
