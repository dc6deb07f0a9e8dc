package ai.hanzo.dev.zap.schema;

import java.util.List;

/**
 * A struct of a schema.
 *
 * @param fields in the order of declaration, which is also the order in which tails are written;
 *     never empty
 * @param sizeBytes the end of the last slot, or the size stated in the header if that is larger
 * @param line of the schema file, from 1
 */
public record StructDef(String name, List<FieldDef> fields, int sizeBytes, int line) {
    public StructDef {
        fields = List.copyOf(fields);
    }

    /**
     * Whether a value of this struct holds data outside its own bytes: it has a field of type text,
     * bytes, list or struct. In dialect shape this decides between inline records and pointer
     * lists.
     */
    public boolean hasTail() {
        return fields.stream().map(FieldDef::type).anyMatch(StructDef::isOutside);
    }

    private static boolean isOutside(Type type) {
        return switch (type) {
            case Scalar _, Type.FixedBytes _, Type.EnumRef _ -> false;
            case Type.Run _, Type.StructRef _, Type.ListOf _ -> true;
        };
    }
}
