package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.core.Core;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Config.ToolKind;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What every engine is fed: a session with a number of messages in it, and the five events of one
 * more turn: a prompt, a reply with two commands, their results, and a last word. Events are of
 * about 300 bytes. Immutable.
 *
 * @param config of about 1 KiB
 * @param log the events that led to {@code state}
 * @param state a snapshot with {@code messages} messages in the conversation, and no turn going on
 * @param turn the events of the next turn
 */
record Conversation(Bytes config, List<Bytes> log, Bytes state, List<Bytes> turn) {
    /** Before there is one. */
    static final Conversation NONE =
            new Conversation(Bytes.empty(), List.of(), Bytes.empty(), List.of());

    /** Events of one turn, which add five messages. */
    static final int EVENTS = 5;

    private static final int MESSAGES_OF_A_TURN = 5;
    private static final String WORDS = "The build fails in the second module. ".repeat(6);

    /** So that no conversation is shortened and no limit ends it. */
    private static final Config.Limits WIDE =
            new Config.Limits(
                    0, 0, 0, 0, 0, 50_000_000, 1L << 40, 1L << 40, 0, /* callsPerReply= */ 0);

    Conversation {
        log = List.copyOf(log);
        turn = List.copyOf(turn);
    }

    /** A Config of about 1 KiB with four tools. */
    static Bytes smallConfig() {
        String schema = "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}}}";
        List<Config.Tool> tools =
                List.of(
                        new Config.Tool(ToolKind.READ, "read", "Reads a file.", schema),
                        new Config.Tool(ToolKind.PATCH, "patch", "Changes files.", schema),
                        new Config.Tool(ToolKind.EXEC, "exec", "Runs a command.", schema),
                        new Config.Tool(ToolKind.SEARCH, "search", "Finds text.", schema));
        return ConfigWire.encode(
                new Config("You are a careful engineer. " + WORDS, "", "", tools, WIDE));
    }

    /** A conversation of {@code messages} user, assistant and tool messages. */
    static Conversation of(Cores cores, int messages) {
        Bytes config = smallConfig();
        try (Core core = cores.open(cores.current(), config)) {
            var log = new ArrayList<Bytes>();
            var feeder = new Feeder(core, log);
            int rest = messages % MESSAGES_OF_A_TURN;
            if (rest != 0 && rest != 2) {
                throw new IllegalArgumentException(messages + " messages do not make whole turns");
            }
            if (rest == 2) {
                feeder.talk();
            }
            for (int i = 0; i < messages / MESSAGES_OF_A_TURN; i++) {
                feeder.work();
            }
            Bytes state = core.snapshot();
            List<Bytes> before = List.copyOf(log);
            feeder.work();
            return new Conversation(config, before, state, log.subList(before.size(), log.size()));
        }
    }

    /** Feeds turns into a core and keeps the events. */
    private static final class Feeder {
        private final Core core;
        private final List<Bytes> log;
        private long turn;

        Feeder(Core core, List<Bytes> log) {
            this.core = core;
            this.log = log;
        }

        private List<ActionId> feed(Event event) {
            Bytes message = EventWire.encode(event, new Seq(log.size() + 2L));
            log.add(message);
            return ActionWire.decodeBatch(core.step(message)).stream()
                    .filter(action -> isAnswered(action.op()))
                    .map(Action::id)
                    .toList();
        }

        private static boolean isAnswered(Op op) {
            return op instanceof Op.ModelAsk || op instanceof Op.Exec;
        }

        private ActionId prompt() {
            return feed(new Event.Turn(new TurnId(++turn), WORDS, List.of())).getFirst();
        }

        private void say(ActionId ask) {
            feed(new Event.ModelReply(ask, Optional.of(WORDS), List.of(), usage()));
        }

        private static Event.Usage usage() {
            return new Event.Usage(1_000, 50);
        }

        void talk() {
            say(prompt());
        }

        void work() {
            List<Call> calls = List.of(exec("call_a", "make"), exec("call_b", "test"));
            List<ActionId> running =
                    feed(new Event.ModelReply(prompt(), Optional.empty(), calls, usage()));
            feed(result(running.get(0)));
            say(feed(result(running.get(1))).getFirst());
        }

        private static Call exec(String id, String target) {
            var command =
                    new Op.Exec(
                            List.of("make", "-C", "module", target),
                            "",
                            Content.NONE,
                            List.of(),
                            0,
                            /* pty= */ false);
            return new Call(id, "exec", 40, new Call.Operation(command));
        }

        private static Event result(ActionId id) {
            return new Event.Result(Event.Family.EXEC, id, Outcome.ok(Bytes.utf8(WORDS)));
        }
    }
}
