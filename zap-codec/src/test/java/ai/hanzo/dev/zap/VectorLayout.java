package ai.hanzo.dev.zap;

import ai.hanzo.dev.zap.Layout.Kind;
import ai.hanzo.dev.zap.Layout.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The schema of a vector as a layout for the strict walk. */
final class VectorLayout {
    private VectorLayout() {}

    static Layout of(String name, List<Object> fields) {
        int size = 0;
        List<Slot> slots = new ArrayList<>();
        for (Object entry : fields) {
            Map<String, Object> field = Json.map(entry);
            int offset = integer(field, "offset");
            size = Math.max(size, offset + width(field));
            slot(field, offset, slots);
        }
        return Layout.of(name, size).define(slots.toArray(Slot[]::new));
    }

    private static int width(Map<String, Object> field) {
        String type = (String) Json.get(field, "type");
        return switch (type) {
            case "bool", "u8", "i8" -> 1;
            case "u16", "i16" -> 2;
            case "u32", "i32", "f32", "struct" -> 4;
            case "bytes_fixed" -> integer(field, "n");
            default -> 8;
        };
    }

    private static void slot(Map<String, Object> field, int at, List<Slot> slots) {
        String type = (String) Json.get(field, "type");
        switch (type) {
            case "text" -> slots.add(Slot.of(Kind.TEXT, at));
            case "bytes" -> slots.add(Slot.of(Kind.BYTES, at));
            case "struct" -> slots.add(Slot.of(Kind.STRUCT, at, fields(field)));
            case "list_raw" -> slots.add(Slot.packed(at, 1));
            case "list_fixed" -> slots.add(Slot.packed(at, integer(field, "n")));
            case "list_inline" ->
                    slots.add(Slot.inline(at, integer(field, "stride"), fields(field)));
            case "list_ptr" -> slots.add(Slot.of(Kind.POINTERS, at, fields(field)));
            case "list_var_bytes" -> slots.add(Slot.of(Kind.BYTES_ENTRIES, at));
            case "list_var_text" -> slots.add(Slot.of(Kind.TEXT_ENTRIES, at));
            case "list_var_struct" -> slots.add(Slot.of(Kind.MESSAGE_ENTRIES, at, fields(field)));
            default -> {
                if (type.startsWith("list_")) {
                    int stride = ValueCheck.widthOf(type.substring("list_".length()));
                    slots.add(Slot.packed(at, stride));
                }
            }
        }
    }

    private static Layout fields(Map<String, Object> field) {
        return of((String) Json.get(field, "name"), Json.list(Json.get(field, "fields")));
    }

    private static int integer(Map<String, Object> field, String key) {
        return VectorText.number(Json.get(field, key)).intValueExact();
    }
}
