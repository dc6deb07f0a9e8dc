import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.ByteSequence;

/**
 * GraalWasm on the same dev.wasm, as the other peers: arguments are the module and the folder of
 * scripts; each line of standard input, MEASURE MESSAGES OPERATIONS, is answered by the CPU
 * nanoseconds of the calling thread.
 */
public final class GraalPeer {
    private static final ByteOrder LITTLE = ByteOrder.LITTLE_ENDIAN;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int OUT_BYTES = 16;
    private static final int SESSIONS = 16;
    private static final int CONFIG = 0;
    private static final int STATE = 1;
    private static final int TURN = 2;

    private final Context context;
    private final Value exports;
    private final Value memory;
    private final int out;

    private GraalPeer(Engine engine, Source source) {
        context =
                Context.newBuilder("wasm")
                        .engine(engine)
                        .option("wasm.Builtins", "wasi_snapshot_preview1")
                        .build();
        Value module = context.eval(source);
        exports = module.newInstance().getMember("exports");
        memory = exports.getMember("memory");
        out = call("dev_alloc", OUT_BYTES);
    }

    private int call(String name, Object... arguments) {
        return exports.getMember(name).execute(arguments).asInt();
    }

    private void run(String name, Object... arguments) {
        exports.getMember(name).executeVoid(arguments);
    }

    private int put(byte[] bytes) {
        int at = call("dev_alloc", bytes.length);
        ByteBuffer words = ByteBuffer.wrap(bytes).order(LITTLE);
        int i = 0;
        for (; i + Long.BYTES <= bytes.length; i += Long.BYTES) {
            memory.writeBufferLong(LITTLE, at + i, words.getLong(i));
        }
        for (; i < bytes.length; i++) {
            memory.writeBufferByte(at + i, bytes[i]);
        }
        return at;
    }

    private static void check(String what, int status) {
        if (status != 0) {
            throw new IllegalStateException(what + " answered " + status);
        }
    }

    private byte[] take() {
        int at = memory.readBufferInt(LITTLE, out);
        var bytes = new byte[memory.readBufferInt(LITTLE, out + Integer.BYTES)];
        memory.readBuffer(at, bytes, 0, bytes.length);
        run("dev_free", out);
        return bytes;
    }

    private long make(String name, byte[] bytes) {
        int at = put(bytes);
        check(name, call(name, at, bytes.length, out));
        run("dev_release", at, bytes.length);
        return memory.readBufferLong(LITTLE, out);
    }

    private byte[] step(long handle, byte[] event) {
        int at = put(event);
        check("dev_step", call("dev_step", handle, at, event.length, out));
        byte[] actions = take();
        run("dev_release", at, event.length);
        return actions;
    }

    private byte[] snapshot(long handle) {
        check("dev_snapshot", call("dev_snapshot", handle, out));
        return take();
    }

    private long[] restored(byte[] state, int count) {
        var handles = new long[count];
        for (int i = 0; i < count; i++) {
            handles[i] = make("dev_restore", state);
        }
        return handles;
    }

    private void drop(long[] handles) {
        for (long handle : handles) {
            run("dev_drop", handle);
        }
    }

    private static long cpu() {
        return THREADS.getCurrentThreadCpuTime();
    }

    private long steps(List<byte[]> script, int operations) {
        long nanos = 0;
        List<byte[]> turn = script.subList(TURN, script.size());
        for (int done = 0; done < operations; done += SESSIONS * turn.size()) {
            long[] handles = restored(script.get(STATE), SESSIONS);
            long before = cpu();
            for (long handle : handles) {
                for (byte[] event : turn) {
                    step(handle, event);
                }
            }
            nanos += cpu() - before;
            drop(handles);
        }
        return nanos;
    }

    private long snapshots(List<byte[]> script, int operations) {
        long[] handles = restored(script.get(STATE), 1);
        long before = cpu();
        for (int i = 0; i < operations; i++) {
            snapshot(handles[0]);
        }
        long nanos = cpu() - before;
        drop(handles);
        return nanos;
    }

    private long restores(List<byte[]> script, int operations) {
        long nanos = 0;
        for (int done = 0; done < operations; done += SESSIONS) {
            long before = cpu();
            long[] handles = restored(script.get(STATE), SESSIONS);
            nanos += cpu() - before;
            drop(handles);
        }
        return nanos;
    }

    /** A context for each, which is slow: a few stand for all. */
    private static long openings(Engine engine, Source source, byte[] config, int operations) {
        int some = Math.min(operations, 5);
        long before = cpu();
        for (int i = 0; i < some; i++) {
            var peer = new GraalPeer(engine, source);
            peer.make("dev_new", config);
            peer.context.close();
        }
        return (cpu() - before) / some * operations;
    }

    private static List<byte[]> script(Path file) throws Exception {
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file)).order(LITTLE);
        var parts = new ArrayList<byte[]>();
        while (all.hasRemaining()) {
            var part = new byte[all.getInt()];
            all.get(part);
            parts.add(part);
        }
        return parts;
    }

    /** Answers lines until there are no more. */
    public static void main(String... arguments) throws Exception {
        byte[] wasm = Files.readAllBytes(Path.of(arguments[0]));
        Source source = Source.newBuilder("wasm", ByteSequence.create(wasm), "dev").build();
        Engine engine = Engine.newBuilder("wasm").option("engine.WarnInterpreterOnly", "false").build();
        var peer = new GraalPeer(engine, source);
        Map<String, List<byte[]>> scripts = new HashMap<>();
        var lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            if (!scripts.containsKey(words[1])) {
                scripts.put(words[1], script(Path.of(arguments[1], words[1] + ".script")));
            }
            List<byte[]> script = scripts.get(words[1]);
            int operations = Integer.parseInt(words[2]);
            System.out.println(
                    switch (words[0]) {
                        case "open" -> openings(engine, source, script.get(CONFIG), operations);
                        case "step" -> peer.steps(script, operations);
                        case "snapshot" -> peer.snapshots(script, operations);
                        case "restore" -> peer.restores(script, operations);
                        default -> throw new IllegalArgumentException(line);
                    });
        }
    }
}
