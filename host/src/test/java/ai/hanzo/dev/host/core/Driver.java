package ai.hanzo.dev.host.core;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Config.ToolKind;
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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Feeds a core as the turn loop does: every event under the next entry of a journal, which is kept.
 * One thread.
 */
final class Driver implements AutoCloseable {
    /** One tool of each kind, named as its kind. */
    static final List<Config.Tool> TOOLS =
            Arrays.stream(ToolKind.values())
                    .filter(kind -> kind != ToolKind.INVALID)
                    .map(kind -> new Config.Tool(kind, name(kind), "does " + name(kind), "{}"))
                    .toList();

    private final Cores cores;
    private final List<Bytes> journal;
    private Core core;

    private Driver(Cores cores, List<Bytes> journal, Core core) {
        this.cores = cores;
        this.journal = journal;
        this.core = core;
    }

    static Driver open(Cores cores) {
        return open(cores, Config.Limits.DEFAULTS);
    }

    static Driver open(Cores cores, Config.Limits limits) {
        return open(cores, config(limits));
    }

    static Driver open(Cores cores, Config config) {
        Bytes bytes = ConfigWire.encode(config);
        var journal = new ArrayList<Bytes>(List.of(bytes));
        return new Driver(cores, journal, cores.open(cores.current(), bytes));
    }

    static Config config(Config.Limits limits) {
        return new Config("You are a careful engineer.", "Use tabs.", "", TOOLS, limits);
    }

    static Config.Limits limits(int queuedTurns, int stepsPerTurn, int depth, int agentSteps) {
        return new Config.Limits(queuedTurns, stepsPerTurn, depth, agentSteps, 0, 0, 0, 0, 0, 0);
    }

    static String name(ToolKind kind) {
        return kind.name().toLowerCase(java.util.Locale.ROOT);
    }

    Core core() {
        return core;
    }

    /** The Config and the events so far, as fed. */
    List<Bytes> journal() {
        return List.copyOf(journal);
    }

    /** The sequence of the last entry; the Config's is 1. */
    long seq() {
        return journal.size();
    }

    Bytes snapshot() {
        return core.snapshot();
    }

    /** Goes on in another core that is restored from a snapshot of this one. */
    Driver restored() {
        Core other = cores.restore(core.digest(), core.snapshot());
        return new Driver(cores, new ArrayList<>(journal), other);
    }

    /** Replaces the core by one restored from its snapshot, as after the death of the host. */
    void restart() {
        Bytes state = core.snapshot();
        core.close();
        core = cores.restore(cores.current(), state);
    }

    /** The actions that an event gives. */
    List<Action> feed(Event event) {
        return ActionWire.decodeBatch(feedBytes(event));
    }

    Bytes feedBytes(Event event) {
        Bytes message = EventWire.encode(event, new Seq(journal.size() + 1));
        Bytes actions = core.step(message);
        journal.add(message);
        return actions;
    }

    List<Action> turn(long id, String prompt) {
        return feed(new Event.Turn(new TurnId(id), prompt, List.of()));
    }

    List<Action> says(long ask, String text) {
        return feed(new Event.ModelReply(new ActionId(ask), optional(text), List.of(), usage()));
    }

    List<Action> calls(long ask, String text, Call... calls) {
        return feed(
                new Event.ModelReply(new ActionId(ask), optional(text), List.of(calls), usage()));
    }

    private static Optional<String> optional(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private static Event.Usage usage() {
        return new Event.Usage(100, 10);
    }

    List<Action> modelFailed(long ask, Event.FailureCode code) {
        return feed(new Event.ModelFailed(new ActionId(ask), code, "as it says"));
    }

    List<Action> result(Event.Family family, long id, String stdout) {
        return feed(new Event.Result(family, new ActionId(id), Outcome.ok(Bytes.utf8(stdout))));
    }

    List<Action> failed(Event.Family family, long id) {
        Outcome outcome = Outcome.of(Outcome.Status.FAILED, "it did not work");
        return feed(new Event.Result(family, new ActionId(id), outcome));
    }

    List<Action> cancel(long turn) {
        return feed(new Event.Cancel(new TurnId(turn)));
    }

    List<Action> timer() {
        return feed(new Event.Timer());
    }

    List<Action> resume(long highest) {
        return feed(new Event.Resume(highest));
    }

    /** Actions in short: id and name, such as {@code 2 Exec}. */
    static List<String> ops(List<Action> actions) {
        return actions.stream().map(a -> a.id() + " " + a.op().getClass().getSimpleName()).toList();
    }

    /** The ask among the actions. */
    static Op.ModelAsk asked(List<Action> actions) {
        return actions.stream()
                .map(Action::op)
                .filter(Op.ModelAsk.class::isInstance)
                .map(Op.ModelAsk.class::cast)
                .reduce((_, last) -> last)
                .orElseThrow(() -> new AssertionError("no ask in " + actions));
    }

    /** The ends of turns among the actions. */
    static List<Op.Done> dones(List<Action> actions) {
        return actions.stream()
                .map(Action::op)
                .filter(Op.Done.class::isInstance)
                .map(Op.Done.class::cast)
                .toList();
    }

    /** The messages that an ask adds. */
    static List<Op.Message> messages(List<Action> actions) {
        return asked(actions).edits().stream().map(Op.Edit::message).toList();
    }

    static Call exec(String... argv) {
        return call(
                ToolKind.EXEC,
                new Op.Exec(
                        List.of(argv),
                        "",
                        ai.hanzo.dev.protocol.Content.NONE,
                        List.of(),
                        0,
                        /* pty= */ false));
    }

    static Call read(String path) {
        return call(ToolKind.READ, new Op.Read(path, 0, 0));
    }

    static Call git(String... argv) {
        return call(ToolKind.GIT, new Op.Git(List.of(argv), ""));
    }

    static Call ask(String question) {
        return call(ToolKind.ASK, new Op.Ask(question, List.of(), ""));
    }

    static Call agent(String task, String... tools) {
        return call(ToolKind.AGENT, new Call.Agent(task, List.of(tools)));
    }

    static Call plan(String... steps) {
        List<Op.PlanItem> items =
                Arrays.stream(steps)
                        .map(step -> new Op.PlanItem(step, Op.PlanStatus.PENDING))
                        .toList();
        return call(ToolKind.PLAN, new Call.Plan(items));
    }

    static Call call(ToolKind kind, Op op) {
        return call(kind, new Call.Operation(op));
    }

    static Call call(ToolKind kind, Call.Request request) {
        return new Call("call_1", name(kind), 40, request);
    }

    @Override
    public void close() {
        core.close();
    }
}
