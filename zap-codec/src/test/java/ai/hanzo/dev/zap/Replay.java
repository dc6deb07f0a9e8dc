package ai.hanzo.dev.zap;

import static ai.hanzo.dev.zap.VectorText.bytes;
import static ai.hanzo.dev.zap.VectorText.number;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Replays the writer calls of a vector on a {@link ZapWriter}. */
final class Replay {
    private final ZapWriter writer;
    private final boolean isStrict;

    /** Objects and the results of writeBytes by the vector's ids. */
    private final Map<String, Integer> positions = new HashMap<>();

    private final Map<String, Integer> counts = new HashMap<>();
    private String openList = "";
    private boolean isFinished;

    Replay(ZapWriter writer, boolean isStrict) {
        this.writer = writer;
        this.isStrict = isStrict;
    }

    byte[] run(List<Object> build) {
        for (Object call : build) {
            apply(Json.list(call));
        }
        if (!isFinished) {
            endList("");
            writer.finishMessage();
        }
        return Arrays.copyOf(writer.buffer(), writer.sizeBytes());
    }

    private void apply(List<Object> call) {
        String op = (String) call.getFirst();
        String id = call.size() > 1 && call.get(1) instanceof String s ? s : "";
        endList(op.startsWith("add") ? id : "");
        switch (op) {
            case "startObject" -> positions.put(id, writer.startObject(integer(call.get(2))));
            case "startList" -> {
                positions.put(id, writer.startList());
                counts.put(id, 0);
                openList = id;
            }
            case "writeBytes" -> positions.put(id, writer.writeBytes(bytes(call.get(2))));
            case "finish" -> writer.finish(at(id));
            case "finishRoot" -> writer.finishRoot(at(id));
            case "reset" -> writer.reset();
            case "finishMessage" -> {
                if (call.size() > 1) {
                    writer.flags(integer(call.get(1)));
                }
                writer.finishMessage();
                isFinished = true;
            }
            default -> {
                if (op.startsWith("add")) {
                    add(op, id, call.get(2));
                } else {
                    set(op, id, call);
                }
            }
        }
    }

    private void add(String op, String id, Object value) {
        counts.merge(id, op.equals("addBytes") ? bytes(value).length : 1, Integer::sum);
        switch (op) {
            case "addBool" -> writer.addU8(truth(value) ? 1 : 0);
            case "addU8", "addI8" -> writer.addU8(integer(value));
            case "addU16", "addI16" -> writer.addU16(integer(value));
            case "addU32", "addI32" -> writer.addU32(integer(value));
            case "addU64", "addI64" -> writer.addU64(number(value).longValue());
            case "addF32" -> writer.addU32(bits(value).intValue());
            case "addF64" -> writer.addU64(bits(value).longValue());
            case "addBytes" -> writer.addBytes(bytes(value));
            case "addObjectBytes" -> writer.addEntry(bytes(value));
            case "addObjectPtr" -> writer.addPointer(Json.isNull(value) ? 0 : at((String) value));
            default -> throw new IllegalArgumentException("no such call: " + op);
        }
    }

    private void set(String op, String id, List<Object> call) {
        if (call.size() < 4) {
            throw new IllegalArgumentException("no such call: " + op);
        }
        int object = at(id);
        int field = integer(call.get(2));
        Object value = call.get(3);
        switch (op) {
            case "bool" -> writer.bool(object, field, truth(value));
            case "u8", "i8" -> writer.u8(object, field, integer(value));
            case "u16", "i16" -> writer.u16(object, field, integer(value));
            case "u32", "i32" -> writer.u32(object, field, integer(value));
            case "u64", "i64" -> writer.u64(object, field, number(value).longValue());
            case "f32" -> writer.u32(object, field, bits(value).intValue());
            case "f64" -> writer.u64(object, field, bits(value).longValue());
            case "text" -> writer.bytes(object, field, VectorText.text(value));
            case "bytes" -> writer.bytes(object, field, bytes(value));
            case "fixed" -> writer.fixed(object, field, bytes(value));
            case "object" ->
                    writer.object(object, field, Json.isNull(value) ? 0 : at((String) value));
            case "list" -> {
                String list = Json.isNull(value) ? "" : (String) value;
                boolean isNull = list.isEmpty();
                writer.list(object, field, isNull ? 0 : at(list), isNull ? 0 : count(list));
            }
            case "listN", "listAt" ->
                    writer.list(object, field, at((String) value), integer(call.get(4)));
            default -> throw new IllegalArgumentException("no such call: " + op);
        }
    }

    /** In Go a list has no end; the strict writer wants one before anything but an element. */
    private void endList(String except) {
        if (isStrict && !openList.isEmpty() && !openList.equals(except)) {
            writer.endList();
            openList = "";
        }
    }

    private int at(String id) {
        Integer position = positions.get(id);
        if (position == null) {
            throw new IllegalArgumentException("no such id: " + id);
        }
        return position;
    }

    private int count(String id) {
        return counts.getOrDefault(id, 0);
    }

    private static boolean truth(Object value) {
        return value instanceof Boolean b ? b : number(value).signum() != 0;
    }

    private static int integer(Object value) {
        return number(value).intValue();
    }

    private static BigInteger bits(Object value) {
        String text = String.valueOf(value);
        return text.startsWith("0x") ? new BigInteger(text.substring(2), 16) : new BigInteger(text);
    }
}
