package ai.hanzo.dev.zap.schema;

import java.util.List;

/**
 * A checked schema file: every name in it resolves, no slots overlap, every offset is in bounds.
 * Made by {@link SchemaParser} only.
 *
 * @param file as named in messages
 */
public record Schema(
        String file,
        String packageName,
        Dialect dialect,
        List<StructDef> structs,
        List<EnumDef> enums,
        List<InterfaceDef> interfaces) {

    /**
     * The first offset that a slot may not reach: bounds what a schema makes a reader or writer do.
     */
    public static final int MAX_STRUCT_BYTES = 1 << 20;

    public Schema {
        structs = List.copyOf(structs);
        enums = List.copyOf(enums);
        interfaces = List.copyOf(interfaces);
    }

    /**
     * The struct of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public StructDef struct(String name) {
        return structs.stream()
                .filter(s -> s.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no struct " + name));
    }

    /**
     * The enum of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public EnumDef enumOf(String name) {
        return enums.stream()
                .filter(e -> e.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no enum " + name));
    }

    /** How the elements of a list of {@code element} are stored in this schema's dialect. */
    public ListShape shapeOf(Type element) {
        if (dialect == Dialect.HEAD) {
            return ListShape.ENTRIES;
        }
        return switch (element) {
            case Scalar _, Type.EnumRef _ -> ListShape.PACKED;
            case Type.FixedBytes _ -> ListShape.FIXED;
            case Type.StructRef(String name) ->
                    struct(name).hasTail() ? ListShape.POINTERS : ListShape.INLINE;
            case Type.Run _, Type.ListOf _ ->
                    throw new IllegalArgumentException("no element stride: " + element);
        };
    }

    /**
     * Bytes from one element to the next; 4 for pointers. Not defined for {@link
     * ListShape#ENTRIES}.
     */
    public int strideOf(Type element) {
        return switch (shapeOf(element)) {
            case PACKED, FIXED -> element.slotBytes();
            case POINTERS -> 4;
            case INLINE -> struct(((Type.StructRef) element).name()).sizeBytes();
            case ENTRIES -> throw new IllegalArgumentException("entries have no stride");
        };
    }
}
