package ai.hanzo.dev.zap.schema;

/** The type of a field or of a list's element, aliases already resolved. */
public sealed interface Type
        permits Scalar, Type.Run, Type.FixedBytes, Type.EnumRef, Type.StructRef, Type.ListOf {

    /** Bytes that a field of this type takes inside its struct. */
    int slotBytes();

    /** {@code text} or {@code bytes}: a slot {rel u32, length u32} and a tail elsewhere. */
    enum Run implements Type {
        TEXT("text"),
        BYTES("bytes");

        private final String word;

        Run(String word) {
            this.word = word;
        }

        @Override
        public int slotBytes() {
            return 8;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    /** {@code bytes_fixed[N]}: N bytes in the slot itself. */
    record FixedBytes(int lengthBytes) implements Type {
        @Override
        public int slotBytes() {
            return lengthBytes;
        }

        @Override
        public String toString() {
            return "bytes_fixed[" + lengthBytes + "]";
        }
    }

    /** An enum of the schema, stored as a u16. */
    record EnumRef(String name) implements Type {
        @Override
        public int slotBytes() {
            return 2;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** A nested struct of the schema: a signed 4-byte pointer relative to the slot. */
    record StructRef(String name) implements Type {
        @Override
        public int slotBytes() {
            return 4;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** {@code list<element>}: a slot {rel i32, count u32}; see {@link Schema#shapeOf}. */
    record ListOf(Type element) implements Type {
        @Override
        public int slotBytes() {
            return 8;
        }

        @Override
        public String toString() {
            return "list<" + element + ">";
        }
    }
}
