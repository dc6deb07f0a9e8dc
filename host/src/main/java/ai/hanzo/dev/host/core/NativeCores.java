package ai.hanzo.dev.host.core;

import ai.hanzo.dev.host.core.Engine.Answer;
import ai.hanzo.dev.host.core.Engine.Session;
import ai.hanzo.dev.protocol.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The same core as machine code: {@code libdev.so}, which {@code make -C wasm native} builds of the
 * sources of {@code dev.wasm}. It is there to hold the WebAssembly build to its word and to compare
 * with; it has no deadline and no bound on memory, and a fault in it is a fault of this process. So
 * the host runs sessions on {@link WasmCores} only.
 *
 * <pre>
 *   a buffer of the core, on 64 bits:  0 pointer | 8 length | 16 capacity
 * </pre>
 *
 * <p>Safe for all threads. The library stays loaded for the life of the process.
 */
public final class NativeCores implements Cores {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout POINTER = ValueLayout.ADDRESS;
    private static final long BUFFER_BYTES = 24;
    private static final long LENGTH_AT = 8;

    private final CoreDigest digest;
    private final Library library;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    /**
     * Loads a library.
     *
     * @throws CoreException {@code ABI} if it is not the core of this host's ABI
     */
    public NativeCores(Path library) {
        try {
            this.digest = CoreDigest.of(Files.readAllBytes(library));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + library, e);
        }
        this.library = Library.load(library);
        int abi = this.library.abi();
        if (abi != WasmCores.ABI) {
            throw CoreException.abi(
                    "the library speaks ABI " + abi + ", this host " + WasmCores.ABI);
        }
    }

    @Override
    public CoreDigest current() {
        return digest;
    }

    @Override
    public boolean holds(CoreDigest wanted) {
        return wanted.equals(digest);
    }

    @Override
    public Core open(CoreDigest wanted, Bytes config) {
        return make(wanted, library.open, config, "the Config");
    }

    @Override
    public Core restore(CoreDigest wanted, Bytes snapshot) {
        try {
            return make(wanted, library.restore, snapshot, "the snapshot");
        } catch (CoreException e) {
            throw WasmCores.orNewer(e, snapshot);
        }
    }

    private Core make(CoreDigest wanted, MethodHandle function, Bytes input, String what) {
        if (!wanted.equals(digest)) {
            throw CoreException.unknownDigest(wanted);
        }
        if (isClosed.get()) {
            throw CoreException.gone();
        }
        Answer answer = library.make(function, input).orThrow(what, input.length());
        return new NativeCore(answer.session().handle());
    }

    /** Sessions that are open stay so until they are closed themselves. */
    @Override
    public void close() {
        isClosed.set(true);
    }

    /** A session in machine code; the library itself turns a second caller away. */
    private final class NativeCore implements Core {
        private final Session session;

        NativeCore(long handle) {
            this.session = new Session(handle, 0);
        }

        @Override
        public CoreDigest digest() {
            return digest;
        }

        @Override
        public Bytes step(Bytes event) {
            check();
            return library.step(session, event).orThrow("the event", event.length()).bytes();
        }

        @Override
        public Bytes snapshot() {
            check();
            return library.snapshot(session).orThrow("to take a snapshot", 0).bytes();
        }

        private void check() {
            if (isClosed.get()) {
                throw CoreException.gone();
            }
        }

        @Override
        public void close() {
            library.drop(session);
        }
    }

    /** The exports that are called, each for one call at a time of each session. */
    private record Library(
            MethodHandle abiHandle,
            MethodHandle open,
            MethodHandle restore,
            MethodHandle stepHandle,
            MethodHandle snapshotHandle,
            MethodHandle dropHandle,
            MethodHandle freeHandle) {

        static Library load(Path file) {
            SymbolLookup symbols;
            try {
                symbols = SymbolLookup.libraryLookup(file, Arena.global());
            } catch (IllegalArgumentException e) {
                throw CoreException.abi(file + " is no library (" + e.getMessage() + ")");
            }
            var make = FunctionDescriptor.of(INT, POINTER, INT, POINTER);
            return new Library(
                    function(symbols, "dev_abi", FunctionDescriptor.of(INT)),
                    function(symbols, "dev_new", make),
                    function(symbols, "dev_restore", make),
                    function(
                            symbols,
                            "dev_step",
                            FunctionDescriptor.of(INT, LONG, POINTER, INT, POINTER)),
                    function(symbols, "dev_snapshot", FunctionDescriptor.of(INT, LONG, POINTER)),
                    function(symbols, "dev_drop", FunctionDescriptor.ofVoid(LONG)),
                    function(symbols, "dev_free", FunctionDescriptor.ofVoid(POINTER)));
        }

        /** Arrays of the heap are handed over as they are: no call of the core lasts long. */
        private static MethodHandle function(
                SymbolLookup symbols, String name, FunctionDescriptor type) {
            MemorySegment address =
                    symbols.find(name)
                            .orElseThrow(() -> CoreException.abi("the library lacks " + name));
            return Linker.nativeLinker()
                    .downcallHandle(
                            address, type, Linker.Option.critical(/* allowHeapAccess= */ true));
        }

        int abi() {
            try {
                return (int) abiHandle.invokeExact();
            } catch (Throwable e) {
                throw broken(e);
            }
        }

        Answer make(MethodHandle function, Bytes input) {
            byte[] bytes = input.toArray();
            MemorySegment out = MemorySegment.ofArray(new long[1]);
            try {
                int status = (int) function.invokeExact(segment(bytes), bytes.length, out);
                return new Answer(status, new Session(out.get(LONG, 0), 0), Bytes.empty());
            } catch (Throwable e) {
                throw broken(e);
            }
        }

        Answer step(Session session, Bytes event) {
            byte[] bytes = event.toArray();
            MemorySegment out = buffer();
            try {
                int status =
                        (int)
                                stepHandle.invokeExact(
                                        session.handle(), segment(bytes), bytes.length, out);
                return new Answer(status, session, status == Answer.OK ? take(out) : Bytes.empty());
            } catch (Throwable e) {
                throw broken(e);
            }
        }

        Answer snapshot(Session session) {
            MemorySegment out = buffer();
            try {
                int status = (int) snapshotHandle.invokeExact(session.handle(), out);
                return new Answer(status, session, status == Answer.OK ? take(out) : Bytes.empty());
            } catch (Throwable e) {
                throw broken(e);
            }
        }

        void drop(Session session) {
            try {
                dropHandle.invokeExact(session.handle());
            } catch (Throwable e) {
                throw broken(e);
            }
        }

        private static MemorySegment buffer() {
            return MemorySegment.ofArray(new long[(int) (BUFFER_BYTES / Long.BYTES)]);
        }

        /** An empty input must still be somewhere; the core refuses it by itself. */
        private static MemorySegment segment(byte[] bytes) {
            return MemorySegment.ofArray(bytes.length == 0 ? new byte[1] : bytes);
        }

        private Bytes take(MemorySegment out) throws Throwable {
            byte[] bytes = new byte[Math.toIntExact(out.get(LONG, LENGTH_AT))];
            MemorySegment from =
                    MemorySegment.ofAddress(out.get(LONG, 0)).reinterpret(bytes.length);
            MemorySegment.copy(from, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
            freeHandle.invokeExact(out);
            return Bytes.wrap(bytes);
        }

        private static RuntimeException broken(Throwable e) {
            if (e instanceof CoreException known) {
                return known;
            }
            return new IllegalStateException("a call of the native core broke", e);
        }
    }
}
