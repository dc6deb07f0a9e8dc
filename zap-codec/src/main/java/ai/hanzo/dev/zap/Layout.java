package ai.hanzo.dev.zap;

/**
 * Where the values of a struct lie: what {@link Validator} needs to walk a message. Fields that
 * hold a number or fixed bytes are not in it: they cannot be wrong.
 *
 * <p>Structs may point to each other in a circle, so a layout is made first and its slots are
 * defined after all are made, once, by whoever made it. From then on it is immutable.
 */
public final class Layout {
    private final String name;
    private final int sizeBytes;
    private Slot[] slots = new Slot[0];
    private boolean isDefined;

    private Layout(String name, int sizeBytes) {
        this.name = name;
        this.sizeBytes = sizeBytes;
    }

    /** A struct of that size, without slots until they are defined. */
    public static Layout of(String name, int sizeBytes) {
        return new Layout(name, sizeBytes);
    }

    /** Defines the slots, in order of fields. */
    public Layout define(Slot... ofFields) {
        if (isDefined) {
            throw new IllegalStateException(name + " is defined already");
        }
        slots = ofFields.clone();
        isDefined = true;
        return this;
    }

    /** The name of the struct, for messages. */
    public String name() {
        return name;
    }

    /** Bytes of an object. */
    public int sizeBytes() {
        return sizeBytes;
    }

    /** Whether an object points to anything. */
    public boolean hasTail() {
        return slots.length != 0;
    }

    Slot[] slots() {
        return slots;
    }

    /** What a slot holds. */
    public enum Kind {
        /** A run that must be UTF-8. */
        TEXT,
        /** A run. */
        BYTES,
        /** A pointer to an object. */
        STRUCT,
        /** A pointer to an object, or to a whole message in its place (dialect head). */
        STRUCT_OR_MESSAGE,
        /** Elements of a fixed width, back to back. */
        PACKED,
        /** Objects without a tail or with one, back to back. */
        INLINE,
        /** Cells that point to objects. */
        POINTERS,
        /** Length-prefixed texts. */
        TEXT_ENTRIES,
        /** Length-prefixed bytes. */
        BYTES_ENTRIES,
        /** Length-prefixed messages. */
        MESSAGE_ENTRIES
    }

    /**
     * A field that points.
     *
     * @param stride bytes per element of {@link Kind#PACKED} and {@link Kind#INLINE}, else 0
     * @param target the struct pointed to, or an empty one
     */
    public record Slot(Kind kind, int offset, int stride, Layout target) {
        private static final Layout NOTHING = Layout.of("", 0);

        /** Throws {@link IllegalArgumentException} for elements without a stride. */
        public Slot {
            if ((kind == Kind.PACKED || kind == Kind.INLINE) && stride < 1) {
                throw new IllegalArgumentException("a stride of " + stride);
            }
        }

        /** A slot that points to no struct. */
        public static Slot of(Kind kind, int offset) {
            return new Slot(kind, offset, 0, NOTHING);
        }

        /** A slot that points to structs. */
        public static Slot of(Kind kind, int offset, Layout target) {
            return new Slot(kind, offset, 0, target);
        }

        /** A list of elements that are {@code stride} bytes apart. */
        public static Slot packed(int offset, int stride) {
            return new Slot(Kind.PACKED, offset, stride, NOTHING);
        }

        /** A list of objects that are {@code stride} bytes apart. */
        public static Slot inline(int offset, int stride, Layout target) {
            return new Slot(Kind.INLINE, offset, stride, target);
        }
    }
}
