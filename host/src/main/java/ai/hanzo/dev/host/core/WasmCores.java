package ai.hanzo.dev.host.core;

import ai.hanzo.dev.host.core.Engine.Answer;
import ai.hanzo.dev.protocol.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cores that are compiled into this host: {@code wasm/dev.wasm}, turned into JVM classes when
 * the host was built. Safe for all threads.
 */
public final class WasmCores implements Cores {
    /** The version of the ABI that this host speaks. */
    static final int ABI = 2;

    /** Where a snapshot has the version of its format: after the version of the ABI. */
    private static final int FORMAT_AT = 4;

    /** Lines that all cores together may log in {@link #LINES_WINDOW}. */
    private static final int MOST_LINES = 100;

    private static final Duration LINES_WINDOW = Duration.ofMinutes(1);

    private final CoreProgram current;
    private final Engines engines;
    private final Templates templates = new Templates();

    /** With one thread for each processor. */
    public WasmCores(CoreLimits limits) {
        this(limits, Runtime.getRuntime().availableProcessors());
    }

    WasmCores(CoreLimits limits, int threads) {
        this(
                limits,
                threads,
                new LineLimit(MOST_LINES, LINES_WINDOW, System::nanoTime, Diagnostics::log));
    }

    /**
     * @param log takes what the cores say of themselves, line by line
     */
    WasmCores(CoreLimits limits, int threads, Consumer<String> log) {
        this(new BuiltInCore(), limits, threads, log);
    }

    WasmCores(CoreProgram core, CoreLimits limits, int threads, Consumer<String> log) {
        this.current = core;
        // Read before Config, by nobody but the core's log: nothing of it reaches a session.
        String level = System.getenv().getOrDefault("HANZO_CORE_LOG", "warn");
        var host = new WasiHost(Map.of("HANZO_CORE_LOG", level), log);
        this.engines = new Engines(core, host, limits, threads);
        try {
            int abi = engines.run(WasmCores::abiOf);
            if (abi != ABI) {
                throw CoreException.abi("the module speaks ABI " + abi + ", this host " + ABI);
            }
        } catch (CoreException e) {
            engines.close();
            throw e;
        }
    }

    static int abiOf(Engine engine) {
        engine.attach(engine.pristine());
        int abi = engine.abi();
        engine.detach();
        return abi;
    }

    /** Few sessions ever say something, and a logging library is slow to start. */
    private static final class Diagnostics {
        private static final Logger LOG = LoggerFactory.getLogger(WasmCores.class);

        static void log(String line) {
            LOG.atWarn().addKeyValue("line", line).log("core diagnostics");
        }
    }

    static byte[] resource(String name) {
        try (InputStream in = WasmCores.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the host was built without " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public CoreDigest current() {
        return current.digest();
    }

    @Override
    public boolean holds(CoreDigest digest) {
        return digest.equals(current.digest());
    }

    @Override
    public Core open(CoreDigest digest, Bytes config) {
        check(digest);
        engines.checkOpen();
        return templates
                .find(config)
                .map(template -> session(template.session(), template.image().copy()))
                .orElseGet(() -> openAnew(config));
    }

    /** The core reads a Config once; sessions that are opened with the same one begin as copies. */
    private Core openAnew(Bytes config) {
        WasmCore.Result made = begin(engine -> engine.open(config), "the Config", config);
        Engine.Session session = made.answer().session();
        templates.keep(new Templates.Template(config, session, made.image().copy()));
        return session(session, made.image());
    }

    private Core session(Engine.Session session, Image image) {
        return new WasmCore(current.digest(), engines, session, image);
    }

    @Override
    public Core restore(CoreDigest digest, Bytes snapshot) {
        check(digest);
        try {
            WasmCore.Result made =
                    begin(engine -> engine.restore(snapshot), "the snapshot", snapshot);
            return session(made.answer().session(), made.image());
        } catch (CoreException e) {
            throw orNewer(e, snapshot);
        }
    }

    private void check(CoreDigest digest) {
        if (!digest.equals(current.digest())) {
            throw CoreException.unknownDigest(digest);
        }
    }

    /** Says so when the reason of a refusal is the age of the core. */
    static CoreException orNewer(CoreException refusal, Bytes snapshot) {
        if (refusal.code() != CoreException.Code.MALFORMED
                || snapshot.length() < FORMAT_AT + Integer.BYTES) {
            return refusal;
        }
        ByteBuffer head = snapshot.toBuffer().order(ByteOrder.LITTLE_ENDIAN);
        int abi = head.getInt(0);
        int format = head.getInt(FORMAT_AT);
        boolean isNewer = Integer.compareUnsigned(format, SnapshotFormat.CURRENT) > 0;
        return abi == ABI && isNewer
                ? CoreException.newerSnapshot(format, SnapshotFormat.CURRENT)
                : refusal;
    }

    private WasmCore.Result begin(Function<Engine, Answer> call, String what, Bytes input) {
        WasmCore.Result made =
                engines.run(engine -> {
                    engine.attach(engine.pristine());
                    Answer answer = call.apply(engine);
                    return new WasmCore.Result(answer, engine.detach());
                });
        made.answer().orThrow(what, input.length());
        return made;
    }

    @Override
    public void close() {
        engines.close();
    }
}
