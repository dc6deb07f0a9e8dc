package ai.hanzo.dev.host.core;

import static ai.hanzo.dev.host.core.Driver.exec;
import static ai.hanzo.dev.host.core.Driver.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.host.core.Engine.Answer;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.wire.ActionWire;
import ai.hanzo.dev.protocol.wire.ConfigWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A session's memory stays where it is, however long the session goes on. */
@Timeout(3_600)
final class SteadyMemoryTest {
    private static final int KIB = 1_024;

    /** A conversation is shortened long before it would fill this. */
    private static final int MAX_BYTES = 512 * KIB;

    /** Bytes of turns in the soak; 1 GiB with {@code -Pnightly}. */
    private static final long SOAK_BYTES = Long.getLong("core.soak.bytes", 16L << 20);

    /** Only what has to be is wide, so that nothing but the length of the session ends it. */
    private static final Config.Limits WIDE =
            new Config.Limits(0, 0, 0, 0, 0, 20_000, 1L << 50, 1L << 50, 0, 0);

    private final Engine engine =
            new Engine(new BuiltInCore(), new WasiHost(Map.of(), _ -> {}), 1_024);

    private Image image = engine.pristine();
    private Engine.Session session = new Engine.Session(0, 0);
    private long entry = 1;

    private void open() {
        engine.attach(image);
        Answer opened =
                engine.open(ConfigWire.encode(Driver.config(WIDE)))
                        .orThrow("the Config", /* length= */ 0);
        session = opened.session();
        image = engine.detach();
    }

    private List<Action> step(Event event) {
        engine.attach(image);
        Answer answer = engine.step(session, EventWire.encode(event, new Seq(++entry)));
        image = engine.detach();
        return ActionWire.decodeBatch(answer.orThrow("the event", 0).bytes());
    }

    /**
     * A turn to its end: two calls, their results, a last word, and summaries as they are asked.
     */
    private void work(long turn, String text) {
        var todo = new ArrayDeque<>(step(new Event.Turn(new TurnId(turn), text, List.of())));
        boolean hasCalled = false;
        while (!todo.isEmpty()) {
            Action action = todo.remove();
            switch (action.op()) {
                case Op.ModelAsk ask -> {
                    boolean calls = ask.purpose() == Op.Purpose.TURN && !hasCalled;
                    hasCalled |= calls;
                    List<Call> wanted = calls ? List.of(exec("make"), read("a")) : List.of();
                    todo.addAll(step(reply(action.id(), calls ? text : "done", wanted)));
                }
                case Op.Exec _ -> todo.addAll(step(result(Event.Family.EXEC, action, text)));
                case Op.Read _ -> todo.addAll(step(result(Event.Family.FILE, action, text)));
                default -> {}
            }
        }
        assertThat(hasCalled).as("turn %s", turn).isTrue();
    }

    private static Event result(Event.Family family, Action action, String text) {
        return new Event.Result(family, action.id(), Outcome.ok(Bytes.utf8(text)));
    }

    private static Event reply(ActionId ask, String text, List<Call> calls) {
        return new Event.ModelReply(ask, Optional.of(text), calls, new Event.Usage(10, 10));
    }

    private int bytes() {
        return image.bytes().length;
    }

    @Test
    void invariant21TenThousandStepsDoNotGrowTheMemory() {
        open();
        String text = "some words of a prompt ".repeat(10);
        for (int turn = 1; turn <= 400; turn++) {
            work(turn, text);
        }
        int after = bytes();
        for (int turn = 401; turn <= 2_000; turn++) {
            work(turn, text);
        }
        assertThat(entry).isGreaterThan(10_000);
        assertThat(bytes()).isEqualTo(after).isLessThan(MAX_BYTES);
        assertThat(image.pages()).isLessThanOrEqualTo(8);
    }

    @Test
    void invariant21AThousandRefusalsDoNotGrowTheMemory() {
        open();
        work(1, "go");
        byte[] good = EventWire.encode(new Event.Timer(), new Seq(99)).toArray();
        Bytes junk = Bytes.wrap(java.util.Arrays.copyOf(good, good.length - 3));
        for (int i = 0; i < 10; i++) {
            refuse(junk);
        }
        int before = bytes();
        for (int i = 0; i < 1_000; i++) {
            refuse(junk);
        }
        assertThat(bytes()).isEqualTo(before);
    }

    private void refuse(Bytes junk) {
        engine.attach(image);
        Answer answer = engine.step(session, junk);
        image = engine.detach();
        assertThatThrownBy(() -> answer.orThrow("it", 0)).isInstanceOf(CoreException.class);
    }

    @Test
    void aSessionThatTakesInAGreatDealKeepsItsMemory() {
        open();
        String text = "x".repeat(12 * KIB);
        long fed = 0;
        long turn = 0;
        while (fed < SOAK_BYTES) {
            work(++turn, text);
            fed += 4L * text.length();
            assertThat(image.pages()).as("pages after %s bytes", fed).isLessThanOrEqualTo(32);
        }
        assertThat(entry).isGreaterThan(5 * turn);
    }
}
