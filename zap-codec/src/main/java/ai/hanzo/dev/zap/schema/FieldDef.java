package ai.hanzo.dev.zap.schema;

/**
 * A field of a struct.
 *
 * @param offset bytes from the start of the object, 0 to 1 MiB; no alignment is implied
 * @param line of the schema file, from 1
 */
public record FieldDef(String name, Type type, int offset, int line) {

    /** The first byte after this field's slot, from the start of the object. */
    public int end() {
        return offset + type.slotBytes();
    }
}
