package ai.hanzo.dev.host.core;

import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.ValType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A small core as a WebAssembly file, any section of which can be exchanged: it has all exports of
 * ABI 2 and does nothing.
 */
public final class WasmFile {
    private static final List<Map.Entry<String, FunctionType>> FUNCTIONS =
            List.copyOf(new TreeMap<>(CoreModule.EXPORTS).entrySet());

    private final Map<Integer, byte[]> sections = new TreeMap<>();
    private final List<byte[]> exports = new ArrayList<>();
    private final List<byte[]> bodies = new ArrayList<>();

    /** A core that speaks ABI 2, has one page of memory and one table of one entry. */
    public WasmFile() {
        var types = new ArrayList<byte[]>();
        var functions = new ArrayList<byte[]>();
        for (int i = 0; i < FUNCTIONS.size(); i++) {
            FunctionType type = FUNCTIONS.get(i).getValue();
            types.add(join(bytes(0x60), values(type.params()), values(type.returns())));
            functions.add(leb(i));
            export(FUNCTIONS.get(i).getKey(), 0, i);
            bodies.add(
                    type.returns().isEmpty()
                            ? bytes(0, 0x0B)
                            : bytes(0, 0x41, i == 0 ? 2 : 0, 0x0B));
        }
        export("memory", 2, 0);
        section(1, vector(types));
        section(3, vector(functions));
        section(4, bytes(1, 0x70, 0, 1));
        section(5, bytes(1, 0, 1));
    }

    private static byte[] values(List<ValType> types) {
        var bytes = new ArrayList<byte[]>();
        types.forEach(type -> bytes.add(bytes(type.equals(ValType.I64) ? 0x7E : 0x7F)));
        return vector(bytes);
    }

    /** Puts the content of a section in the place of what was there. */
    public WasmFile section(int id, byte[] content) {
        sections.put(id, content);
        return this;
    }

    /** Adds an export: kind 0 is a function, 1 a table, 2 a memory, 3 a global. */
    public WasmFile export(String name, int kind, int index) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        exports.add(join(leb(utf8.length), utf8, bytes(kind), leb(index)));
        return this;
    }

    /** Exchanges the code of a function, {@code dev_abi} being the first. */
    public WasmFile body(int function, byte[] code) {
        bodies.set(function, join(bytes(0), code, bytes(0x0B)));
        return this;
    }

    /** The file. */
    public byte[] toBytes() {
        var all = new TreeMap<>(sections);
        all.putIfAbsent(7, vector(exports));
        var sized = new ArrayList<byte[]>();
        bodies.forEach(body -> sized.add(join(leb(body.length), body)));
        all.putIfAbsent(10, vector(sized));
        byte[] file = bytes(0, 'a', 's', 'm', 1, 0, 0, 0);
        for (var section : all.entrySet()) {
            byte[] content = section.getValue();
            file = join(file, bytes(section.getKey()), leb(content.length), content);
        }
        return file;
    }

    /** A module whose start function never ends: whoever lets it run waits for ever. */
    public static byte[] thatStartsALoop() {
        return join(
                bytes(0, 'a', 's', 'm', 1, 0, 0, 0),
                bytes(1, 4, 1, 0x60, 0, 0),
                bytes(3, 2, 1, 0),
                bytes(8, 1, 0),
                bytes(10, 9, 1, 7, 0, 0x03, 0x40, 0x0C, 0, 0x0B, 0x0B));
    }

    /** Bytes from numbers. */
    public static byte[] bytes(int... numbers) {
        var bytes = new byte[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            bytes[i] = (byte) numbers[i];
        }
        return bytes;
    }

    /** An unsigned number in LEB128. */
    public static byte[] leb(int number) {
        var out = new ByteArrayOutputStream();
        int left = number;
        while (left >>> 7 != 0) {
            out.write((left & 0x7F) | 0x80);
            left >>>= 7;
        }
        out.write(left);
        return out.toByteArray();
    }

    private static byte[] vector(List<byte[]> items) {
        return join(leb(items.size()), join(items.toArray(byte[][]::new)));
    }

    /** One after the other. */
    public static byte[] join(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
