package ai.hanzo.dev.host.core;

import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.ValType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The three functions that a core may import from {@code wasi_snapshot_preview1}, and nothing else:
 * the environment (its log level) and writing diagnostics to descriptor 2.
 *
 * <p>Every pointer and length from the module is hostile and is checked before anything is read or
 * written; a bad one is answered with an errno, never with an exception. Nothing that these answer
 * depends on the session. Safe for all threads if the sink is.
 */
final class WasiHost {
    static final String MODULE = "wasi_snapshot_preview1";

    // errno of WASI preview 1 (witx: typenames, errno).
    private static final int SUCCESS = 0;
    private static final int BADF = 8;
    private static final int FAULT = 21;
    private static final int INVAL = 28;

    private static final int STDERR = 2;

    /** More runs of bytes in one write are refused. */
    private static final int MAX_RUNS = 16;

    /** What is longer is cut: a diagnostic is one line. */
    private static final int MAX_LINE_BYTES = 1024;

    private static final FunctionType POINTERS =
            FunctionType.of(List.of(ValType.I32, ValType.I32), List.of(ValType.I32));
    private static final FunctionType WRITE =
            FunctionType.of(
                    List.of(ValType.I32, ValType.I32, ValType.I32, ValType.I32),
                    List.of(ValType.I32));

    private final byte[][] environment;
    private final int environmentBytes;
    private final Consumer<String> sink;

    /**
     * @param environment what the module sees as its environment
     * @param sink takes each line of diagnostics, in printable ASCII
     */
    WasiHost(Map<String, String> environment, Consumer<String> sink) {
        this.environment = new byte[environment.size()][];
        int count = 0;
        int bytes = 0;
        for (var entry : new TreeMap<>(environment).entrySet()) {
            byte[] line =
                    (entry.getKey() + "=" + entry.getValue() + "\0")
                            .getBytes(StandardCharsets.UTF_8);
            this.environment[count++] = line;
            bytes += line.length;
        }
        this.environmentBytes = bytes;
        this.sink = sink;
    }

    /** The types of the imports by name. */
    static Map<String, FunctionType> types() {
        return Map.of("environ_get", POINTERS, "environ_sizes_get", POINTERS, "fd_write", WRITE);
    }

    ImportValues imports() {
        return ImportValues.builder()
                .addFunction(
                        new HostFunction(
                                MODULE,
                                "environ_get",
                                POINTERS,
                                (in, args) ->
                                        answer(environ(memory(in), (int) args[0], (int) args[1]))))
                .addFunction(
                        new HostFunction(
                                MODULE,
                                "environ_sizes_get",
                                POINTERS,
                                (in, args) ->
                                        answer(
                                                environSizes(
                                                        memory(in), (int) args[0], (int) args[1]))))
                .addFunction(
                        new HostFunction(
                                MODULE,
                                "fd_write",
                                WRITE,
                                (in, args) ->
                                        answer(
                                                write(
                                                        memory(in),
                                                        (int) args[0],
                                                        (int) args[1],
                                                        (int) args[2],
                                                        (int) args[3]))))
                .build();
    }

    private static long[] answer(int errno) {
        return new long[] {errno};
    }

    private static FlatMemory memory(Instance instance) {
        return (FlatMemory) instance.memory();
    }

    /** How many variables there are, and the bytes of them all; answers an errno. */
    int environSizes(FlatMemory memory, int count, int bytes) {
        if (!memory.holds(count, Integer.BYTES) || !memory.holds(bytes, Integer.BYTES)) {
            return FAULT;
        }
        memory.writeI32(count, environment.length);
        memory.writeI32(bytes, environmentBytes);
        return SUCCESS;
    }

    /** The variables, and where each begins; answers an errno. */
    int environ(FlatMemory memory, int pointers, int text) {
        if (!memory.holds(pointers, environment.length * Integer.BYTES)
                || !memory.holds(text, environmentBytes)) {
            return FAULT;
        }
        int pointer = pointers;
        int at = text;
        for (byte[] variable : environment) {
            memory.writeI32(pointer, at);
            memory.write(at, variable, 0, variable.length);
            pointer += Integer.BYTES;
            at += variable.length;
        }
        return SUCCESS;
    }

    /** Takes diagnostics in some runs of bytes; answers an errno. */
    int write(FlatMemory memory, int fd, int runs, int count, int written) {
        if (fd != STDERR) {
            return BADF;
        }
        if (count < 0 || count > MAX_RUNS) {
            return INVAL;
        }
        if (!memory.holds(runs, count * 2 * Integer.BYTES)
                || !memory.holds(written, Integer.BYTES)) {
            return FAULT;
        }
        var line = new StringBuilder();
        long total = 0;
        for (int i = 0; i < count; i++) {
            int at = memory.readInt(runs + i * 2 * Integer.BYTES);
            int length = memory.readInt(runs + i * 2 * Integer.BYTES + Integer.BYTES);
            if (!memory.holds(at, length)) {
                return FAULT;
            }
            total += Integer.toUnsignedLong(length);
            append(line, memory, at, length);
        }
        if (total > Integer.MAX_VALUE) {
            return INVAL;
        }
        memory.writeI32(written, (int) total);
        sink.accept(line.toString().strip());
        return SUCCESS;
    }

    /** Control characters and what is not ASCII could forge lines of a log. */
    private static void append(StringBuilder line, FlatMemory memory, int at, int length) {
        int room = MAX_LINE_BYTES - line.length();
        int taken = Integer.compareUnsigned(length, room) < 0 ? length : room;
        for (int i = 0; i < taken; i++) {
            byte b = memory.read(at + i);
            line.append(b >= ' ' && b < 0x7F ? (char) b : b == '\n' ? ' ' : '?');
        }
    }
}
