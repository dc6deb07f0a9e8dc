package ai.hanzo.dev.host.core;

import ai.hanzo.dev.host.core.Engine.Answer;
import ai.hanzo.dev.protocol.Bytes;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** A session in WebAssembly. Between calls it is nothing but the image of its memory. */
final class WasmCore implements Core {
    private final CoreDigest digest;
    private final Engines engines;
    private final Engine.Session session;
    private final AtomicReference<State> state;

    /** What a session is, apart from its digest and handle: between calls, its memory. */
    sealed interface State permits Image, Other {}

    /** Why no call can be made now. */
    private enum Other implements State {
        /** A call is inside. */
        INSIDE,
        /** A call trapped. */
        POISONED,
        /** A call was stopped, at its deadline or by an interrupt. */
        STOPPED,
        CLOSED
    }

    WasmCore(CoreDigest digest, Engines engines, Engine.Session session, Image image) {
        this.digest = digest;
        this.engines = engines;
        this.session = session;
        this.state = new AtomicReference<>(image);
    }

    @Override
    public CoreDigest digest() {
        return digest;
    }

    @Override
    public Bytes step(Bytes event) {
        Answer answer = inside(engine -> engine.step(session, event));
        return answer.orThrow("the event", event.length()).bytes();
    }

    @Override
    public Bytes snapshot() {
        Answer answer = inside(engine -> engine.snapshot(session));
        return answer.orThrow("to take a snapshot", 0).bytes();
    }

    private Answer inside(Function<Engine, Answer> call) {
        Image image = enter();
        State after = Other.POISONED;
        try {
            Result result =
                    engines.run(engine -> {
                        engine.attach(image);
                        Answer answer = call.apply(engine);
                        return new Result(answer, engine.detach());
                    });
            after = result.image();
            return result.answer();
        } catch (CoreException e) {
            if (e.code() == CoreException.Code.DEADLINE
                    || e.code() == CoreException.Code.INTERRUPTED) {
                after = Other.STOPPED;
            } else if (e.code() == CoreException.Code.FULL) {
                after = image;
            }
            throw e;
        } finally {
            state.setRelease(after);
        }
    }

    /** What a call answers, and the memory as it left it. */
    record Result(Answer answer, Image image) {}

    private Image enter() {
        while (true) {
            State seen = state.get();
            if (seen instanceof Image idle) {
                if (state.compareAndSet(idle, Other.INSIDE)) {
                    return idle;
                }
                // Another call came first, or a close: look again which.
                continue;
            }
            throw switch ((Other) seen) {
                case INSIDE -> CoreException.busy();
                case POISONED -> CoreException.poisoned();
                case STOPPED -> CoreException.stopped();
                case CLOSED -> CoreException.gone();
            };
        }
    }

    @Override
    public void close() {
        State seen;
        do {
            seen = state.get();
            if (seen == Other.INSIDE) {
                throw CoreException.busy();
            }
        } while (!state.compareAndSet(seen, Other.CLOSED));
    }
}
