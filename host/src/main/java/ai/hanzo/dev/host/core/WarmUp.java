package ai.hanzo.dev.host.core;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.wire.ActionWire;
import ai.hanzo.dev.protocol.wire.ConfigWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Talks to sessions that nobody sees, in the background after a host's start, until the JIT has
 * compiled the core: a step takes some 100 µs in a fresh JVM, and a hundredth of that after some
 * 50,000. It pauses between turns, so that whoever is there first has the processors.
 *
 * <p>One daemon thread of its own; {@link #close} may be called from any.
 */
public final class WarmUp implements AutoCloseable {
    /** After as many, steps do not get faster (measured on JDK 25, tiered compilation). */
    private static final int ENOUGH_STEPS = 50_000;

    private static final int STEPS_OF_A_TURN = 4;
    private static final int TURNS_OF_A_SESSION = 50;
    private static final int TURNS_BETWEEN_PAUSES = 25;
    private static final Duration PAUSE = Duration.ofMillis(4);
    private static final String WORDS = "The build fails in the second module. ".repeat(6);

    private final Cores cores;
    private final int steps;
    private final CountDownLatch closed = new CountDownLatch(1);

    public WarmUp(Cores cores) {
        this(cores, ENOUGH_STEPS);
    }

    WarmUp(Cores cores, int steps) {
        this.cores = cores;
        this.steps = steps;
    }

    /** Begins, and returns at once. */
    public void start() {
        Thread.ofPlatform().name("core-warm-up").daemon().start(this::run);
    }

    /** Does all of it on this thread; answers the steps that were taken. */
    int run() {
        int taken = 0;
        int turns = 0;
        Bytes config = ConfigWire.encode(config());
        try {
            while (taken < steps && !isClosed()) {
                try (Core core = cores.open(cores.current(), config)) {
                    var session = new Visit(core);
                    for (int turn = 1; turn <= TURNS_OF_A_SESSION && taken < steps; turn++) {
                        session.turn(turn);
                        taken += STEPS_OF_A_TURN;
                        if (++turns % TURNS_BETWEEN_PAUSES == 0 && rest()) {
                            return taken;
                        }
                    }
                    core.snapshot();
                }
            }
        } catch (CoreException e) {
            if (e.code() != CoreException.Code.HANDLE) {
                throw e;
            }
            // The cores were closed meanwhile: the host ends.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return taken;
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Whether it is to end. */
    private boolean rest() throws InterruptedException {
        return closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Config config() {
        var tool = new Config.Tool(Config.ToolKind.EXEC, "exec", "Runs a command.", "{}");
        return new Config(WORDS, "", "", List.of(tool), Config.Limits.DEFAULTS);
    }

    /** A session, and the entry that comes next in it. */
    private static final class Visit {
        private final Core core;
        private long entry = 1;

        Visit(Core core) {
            this.core = core;
        }

        void turn(long number) {
            ActionId ask = feed(new Event.Turn(new TurnId(number), WORDS, List.of()));
            ActionId command = feed(reply(ask, Optional.empty(), List.of(call())));
            ActionId next =
                    feed(
                            new Event.Result(
                                    Event.Family.EXEC, command, Outcome.ok(Bytes.utf8(WORDS))));
            feed(reply(next, Optional.of(WORDS), List.of()));
        }

        /** The id of the first action that came of it. */
        private ActionId feed(Event event) {
            List<Action> actions =
                    ActionWire.decodeBatch(core.step(EventWire.encode(event, new Seq(++entry))));
            return actions.getFirst().id();
        }

        private static Event reply(ActionId ask, Optional<String> text, List<Call> calls) {
            return new Event.ModelReply(ask, text, calls, new Event.Usage(1_000, 50));
        }

        private static Call call() {
            var command =
                    new Op.Exec(
                            List.of("make", "-C", "module"),
                            "",
                            Content.NONE,
                            List.of(),
                            0,
                            /* pty= */ false);
            return new Call("call", "exec", 40, new Call.Operation(command));
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
