package ai.hanzo.dev.zap.schema;

/** The physical form of a list's elements. */
public enum ListShape {
    /** Numbers back to back at their own width; enums as u16. */
    PACKED,
    /** Byte runs of N bytes back to back. */
    FIXED,
    /** Structs without a tail back to back; the stride is the struct's size. */
    INLINE,
    /** Cells of 4 bytes, each a signed offset from that cell to a struct; 0 is a null element. */
    POINTERS,
    /** A stream of {length u32, bytes}; a struct or a list is a whole message of its own. */
    ENTRIES
}
