package ai.hanzo.dev.zap.schema;

/** A number or a truth value, stored in its slot. All are little-endian; bool is one byte. */
public enum Scalar implements Type {
    BOOL("bool", 1),
    U8("u8", 1),
    U16("u16", 2),
    U32("u32", 4),
    U64("u64", 8),
    I8("i8", 1),
    I16("i16", 2),
    I32("i32", 4),
    I64("i64", 8),
    F32("f32", 4),
    F64("f64", 8);

    private final String word;
    private final int widthBytes;

    Scalar(String word, int widthBytes) {
        this.word = word;
        this.widthBytes = widthBytes;
    }

    /** The word that names this type in a schema file. */
    public String word() {
        return word;
    }

    /** Bytes in a slot and in a packed list. */
    public int widthBytes() {
        return widthBytes;
    }

    @Override
    public int slotBytes() {
        return widthBytes;
    }

    @Override
    public String toString() {
        return word;
    }
}
