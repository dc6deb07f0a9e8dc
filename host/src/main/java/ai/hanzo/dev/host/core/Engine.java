package ai.hanzo.dev.host.core;

import ai.hanzo.dev.protocol.Bytes;

/**
 * One instance of the module, in which any session can run: a session's memory is put in, the call
 * is made, the memory is taken out. Everything that a session can change lies in its memory; the
 * stack pointer, the only other thing that changes, is back at its place after a call that returns.
 * After a call that did not return the engine must be thrown away.
 *
 * <p>One thread at a time; {@link Engines} sees to that.
 */
final class Engine {
    /** Room for a handle or a buffer. */
    private static final int OUT_BYTES = 16;

    /** Room behind it for an event; most fit. Both are allocated once in the life of a session. */
    private static final int INPUT_BYTES = 1_024 - OUT_BYTES;

    private final CoreCode code;
    private final FlatMemory memory;
    private final Image pristine;

    Engine(CoreProgram core, WasiHost host, int maximumPages) {
        CoreProgram.Loaded loaded = core.load(host, maximumPages);
        this.code = loaded.code();
        this.memory = loaded.memory();
        this.pristine = memory.detach();
    }

    CoreCode code() {
        return code;
    }

    /** The memory of a session that is not open yet; the caller owns it. */
    Image pristine() {
        return pristine.copy();
    }

    void attach(Image image) {
        memory.attach(image);
    }

    Image detach() {
        return memory.detach();
    }

    int abi() {
        return code.abi();
    }

    /** Opens a session in the attached memory. */
    Answer open(Bytes config) {
        int out = room();
        int ptr = put(config, out);
        if (ptr == 0) {
            return Answer.tooLong();
        }
        int status = code.open(ptr, config.length(), out);
        return made(status, out, ptr, config.length());
    }

    /** Brings a session back in the attached memory. */
    Answer restore(Bytes state) {
        int out = room();
        int ptr = put(state, out);
        if (ptr == 0) {
            return Answer.tooLong();
        }
        int status = code.restore(ptr, state.length(), out);
        return made(status, out, ptr, state.length());
    }

    private int room() {
        int out = code.alloc(OUT_BYTES + INPUT_BYTES);
        if (out == 0) {
            throw CoreException.abi("the module has no room for an answer");
        }
        return out;
    }

    private Answer made(int status, int out, int ptr, int length) {
        long handle = memory.readLong(out);
        giveBack(ptr, length, out);
        return new Answer(status, new Session(handle, out), Bytes.empty());
    }

    Answer step(Session session, Bytes event) {
        int ptr = put(event, session.out());
        if (ptr == 0) {
            return Answer.tooLong();
        }
        int status = code.step(session.handle(), ptr, event.length(), session.out());
        Bytes actions = status == Answer.OK ? take(session.out()) : Bytes.empty();
        giveBack(ptr, event.length(), session.out());
        return new Answer(status, session, actions);
    }

    Answer snapshot(Session session) {
        int status = code.snapshot(session.handle(), session.out());
        Bytes state = status == Answer.OK ? take(session.out()) : Bytes.empty();
        return new Answer(status, session, state);
    }

    /** The input in the module's memory, or 0 if the module does not take that many bytes. */
    private int put(Bytes input, int out) {
        int ptr = input.length() <= INPUT_BYTES ? out + OUT_BYTES : code.alloc(input.length());
        if (ptr != 0) {
            memory.write(ptr, input);
        }
        return ptr;
    }

    private void giveBack(int ptr, int length, int out) {
        if (ptr != out + OUT_BYTES) {
            code.release(ptr, length);
        }
    }

    /** Copies a buffer out and gives it back; all that the module says of it is checked. */
    private Bytes take(int out) {
        int ptr = memory.readInt(out);
        int length = memory.readInt(out + Integer.BYTES);
        if (length < 0 || !memory.holds(ptr, length)) {
            throw CoreException.abi("the module answered with bytes outside of its memory");
        }
        Bytes bytes = Bytes.wrap(memory.readBytes(ptr, length));
        code.free(out);
        return bytes;
    }

    /**
     * Where a session is in its memory.
     *
     * @param handle as the core gave it
     * @param out the address at which the core leaves its answers, before the room for an event
     */
    record Session(long handle, int out) {}

    /** What a call of the ABI answers: a status, the session, and bytes when there are any. */
    record Answer(int status, Session session, Bytes bytes) {
        static final int OK = 0;
        static final int HANDLE = -1;
        static final int MALFORMED = -2;
        static final int POISON = -3;
        static final int PANIC = -4;
        static final int NULL = -5;
        static final int BUSY = -6;
        static final int FULL = -7;

        private static final Session NO_SESSION = new Session(0, 0);

        static Answer tooLong() {
            return new Answer(NULL, NO_SESSION, Bytes.empty());
        }

        /** This answer if it is OK; otherwise its exception. */
        Answer orThrow(String what, int length) {
            return switch (status) {
                case OK -> this;
                case HANDLE -> throw CoreException.gone();
                case MALFORMED -> throw CoreException.malformed(what);
                case POISON -> throw CoreException.poisoned();
                case PANIC -> throw CoreException.panicked(new IllegalStateException("a panic"));
                case NULL -> throw CoreException.tooLong(length);
                case BUSY -> throw CoreException.busy();
                case FULL -> throw CoreException.full();
                default -> throw CoreException.abi("the module answered status " + status);
            };
        }
    }
}
