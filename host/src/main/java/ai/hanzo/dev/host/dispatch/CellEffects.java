package ai.hanzo.dev.host.dispatch;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.Outcome.Status;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.CellOutcome;
import ai.hanzo.dev.sandbox.ExecOutcome;
import ai.hanzo.dev.sandbox.ExecRequest;
import ai.hanzo.dev.sandbox.Expected;
import ai.hanzo.dev.sandbox.FileOutcome;
import ai.hanzo.dev.sandbox.LiveProgram;
import ai.hanzo.dev.sandbox.LiveProgram.Heard;
import ai.hanzo.dev.sandbox.Reply;
import ai.hanzo.dev.sandbox.SpawnRequest;
import ai.hanzo.dev.sandbox.WholeFile;
import ai.hanzo.dev.sandbox.WriteRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Carries out one action in a cell and says what came of it. A refusal of the cell is an outcome
 * like any other; a broken lease is a {@link ai.hanzo.dev.sandbox.CellException} for the caller.
 * Threads: any; each call blocks until the effect is over.
 */
public final class CellEffects {
    /** The largest file that is read whole: 64 MiB. */
    static final int MAX_FILE_BYTES = 64 << 20;

    private static final int COLUMNS = 80;
    private static final int ROWS = 24;

    /** How long after its deadline a program on a terminal may be silent before it is ended. */
    private static final Duration TERMINAL_GRACE = Duration.ofSeconds(10);

    private final Cell cell;
    private final CellOutcomes outcomes;
    private final Denials denials;
    private final Duration commandLimit;

    /**
     * @param outcomes renders what the cell says
     * @param denials told of what the sandbox keeps actions from
     * @param commandLimit the timeout of a command that asks for none; zero is the cell's own
     */
    public CellEffects(Cell cell, CellOutcomes outcomes, Denials denials, Duration commandLimit) {
        this.cell = cell;
        this.outcomes = outcomes;
        this.denials = denials;
        this.commandLimit = commandLimit;
    }

    /** Whether {@code op} is carried out in a cell at all. */
    public static boolean isForCell(Op op) {
        return switch (op) {
            case Op.Read _,
                    Op.Write _,
                    Op.Patch _,
                    Op.Exec _,
                    Op.Git _,
                    Op.ListFiles _,
                    Op.Search _,
                    Op.Stat _ ->
                    true;
            case Op.ModelAsk _, Op.Browse _, Op.Ask _, Op.Send _, Op.Emit _, Op.Save _, Op.Done _ ->
                    false;
        };
    }

    /**
     * Carries out {@code action}. Sent twice under one id it is done once.
     *
     * @throws IllegalArgumentException when the action is not for a cell
     */
    public Outcome run(Action action) {
        ActionId id = action.id();
        return switch (action.op()) {
            case Op.Exec exec -> exec(id, exec);
            case Op.Git op -> git(id, op);
            case Op.Read read -> reads(id).read(read);
            case Op.ListFiles list -> reads(id).list(list);
            case Op.Search search -> reads(id).search(search);
            case Op.Stat stat -> reads(id).stat(stat);
            case Op.Write write -> write(id, write);
            case Op.Patch patch ->
                    new CellPatches(cell, outcomes, refused -> refused(id, refused))
                            .apply(id, patch);
            case Op.ModelAsk _, Op.Browse _, Op.Ask _, Op.Send _, Op.Emit _, Op.Save _, Op.Done _ ->
                    throw new IllegalArgumentException("action " + id + " is not for a cell");
        };
    }

    private CellReads reads(ActionId id) {
        return new CellReads(cell, refused -> refused(id, refused));
    }

    /** The cell did nothing, and says why. */
    private Outcome refused(ActionId id, Reply.Refused<?> refused) {
        denials.refused(id, refused);
        return CellOutcomes.refused(refused);
    }

    private Outcome ended(ActionId id, ExecOutcome outcome) {
        denials.seen(id, outcome);
        return outcomes.ofExec(cell, id, outcome);
    }

    /** Whether the cell holds an outcome of {@code op} that has to be acknowledged. */
    public static boolean isHeld(Op op) {
        return isForCell(op) && op instanceof Op.Effect;
    }

    /**
     * What the workspace itself tells of an effect whose cell is gone; empty if it tells nothing.
     * Only a write can be told: it is there, or what it was to replace still is.
     */
    public Optional<Outcome> look(Action action) {
        if (!(action.op() instanceof Op.Write write)) {
            return Optional.empty();
        }
        Sha256 wanted = Sha256.of(bytes(write.content()));
        Optional<Sha256> found =
                switch (cell.readWhole(write.path(), MAX_FILE_BYTES)) {
                    case Reply.Done<WholeFile>(WholeFile file) ->
                            Optional.of(Sha256.of(file.content()));
                    case Reply.Refused<WholeFile> _ -> Optional.empty();
                };
        if (found.equals(Optional.of(wanted))) {
            return Optional.of(Outcome.ok(Bytes.utf8(write.path() + " was written\n")));
        }
        if (write.expected().isPresent() && found.equals(write.expected())) {
            return Optional.of(run(action));
        }
        return Optional.empty();
    }

    /** What a recorded outcome of the cell means; for one that was taken after a restart. */
    public Outcome outcome(ActionId id, CellOutcome outcome) {
        return switch (outcome) {
            case ExecOutcome exec -> ended(id, exec);
            case FileOutcome files -> outcomes.ofFiles(files, List.of());
        };
    }

    private Outcome exec(ActionId id, Op.Exec exec) {
        Map<String, String> env = new LinkedHashMap<>();
        exec.env().forEach(variable -> env.put(variable.name(), variable.value()));
        Duration asked = Duration.ofMillis(exec.timeoutMillis());
        if (exec.argv().isEmpty()) {
            return Outcome.of(Status.FAILED, "argv is empty: name a program");
        }
        if (asked.compareTo(ExecRequest.MAX_TIMEOUT) > 0) {
            return Outcome.of(
                    Status.FAILED, "timeoutMs is at most " + ExecRequest.MAX_TIMEOUT.toMillis());
        }
        ExecRequest request =
                new ExecRequest(
                        exec.argv(),
                        exec.cwd(),
                        stdin(exec.stdin()),
                        env,
                        asked.isZero() ? commandLimit : asked,
                        ExecRequest.Leftovers.KILL);
        return exec.pty() ? onTerminal(id, request) : run(id, request);
    }

    /** What asks whether it is at a terminal finds one; both its streams are one then. */
    private Outcome onTerminal(ActionId id, ExecRequest request) {
        ExecRequest limited = request.withTimeout(request.effectiveTimeout());
        Duration patience = limited.timeout().plus(TERMINAL_GRACE);
        try (LiveProgram program =
                cell.spawn(id, SpawnRequest.onTerminal(limited, COLUMNS, ROWS))) {
            while (true) {
                Optional<Heard> heard = program.next(patience);
                if (heard.isEmpty()) {
                    cell.cancel(id);
                } else if (heard.get() instanceof Heard.Ended(Reply<ExecOutcome> reply)) {
                    return outcome(id, reply);
                }
            }
        }
    }

    private Outcome git(ActionId id, Op.Git op) {
        List<String> argv = new ArrayList<>(List.of("git"));
        argv.addAll(op.argv());
        return run(
                id,
                new ExecRequest(
                        argv,
                        op.cwd(),
                        new ExecRequest.Stdin.None(),
                        Map.of(),
                        commandLimit,
                        ExecRequest.Leftovers.KILL));
    }

    private Outcome run(ActionId id, ExecRequest request) {
        return outcome(id, cell.exec(id, request));
    }

    private Outcome outcome(ActionId id, Reply<ExecOutcome> reply) {
        return switch (reply) {
            case Reply.Done<ExecOutcome>(ExecOutcome outcome) -> ended(id, outcome);
            case Reply.Refused<ExecOutcome> refused -> refused(id, refused);
        };
    }

    private Outcome write(ActionId id, Op.Write write) {
        Expected expected =
                write.expected().<Expected>map(Expected.Content::new).orElse(Expected.anything());
        OptionalInt mode = write.mode().map(OptionalInt::of).orElse(OptionalInt.empty());
        Reply<FileOutcome> reply =
                cell.write(
                        id, new WriteRequest(write.path(), bytes(write.content()), mode, expected));
        return switch (reply) {
            case Reply.Done<FileOutcome>(FileOutcome files) ->
                    outcomes.ofFiles(files, List.of(write.path()));
            case Reply.Refused<FileOutcome> refused -> refused(id, refused);
        };
    }

    private ExecRequest.Stdin stdin(Content content) {
        Bytes bytes = bytes(content);
        return bytes.isEmpty()
                ? new ExecRequest.Stdin.None()
                : new ExecRequest.Stdin.Content(bytes);
    }

    private Bytes bytes(Content content) {
        return outcomes.load(content);
    }
}
