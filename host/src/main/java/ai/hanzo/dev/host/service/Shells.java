package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.ShellFeed;
import ai.hanzo.dev.host.op.ShellSource;
import ai.hanzo.dev.host.op.v1.Shell;
import ai.hanzo.dev.host.op.v1.ShellAccepted;
import ai.hanzo.dev.host.op.v1.ShellInput;
import ai.hanzo.dev.host.op.v1.ShellRequest;
import ai.hanzo.dev.host.op.v1.ShellSize;
import ai.hanzo.dev.host.session.LiveSessions;
import ai.hanzo.dev.host.session.LiveSessions.Visit;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.sandbox.CellException;
import ai.hanzo.dev.sandbox.ExecRequest;
import ai.hanzo.dev.sandbox.LiveProgram;
import ai.hanzo.dev.sandbox.Reply;
import ai.hanzo.dev.sandbox.SpawnRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * Terminals in the cells of sessions. A shell is a program of the cell like any other and outlives
 * this host; what a person does in it is not decided by policy and not recorded, only that it began
 * and ended. Safe for all threads.
 */
public final class Shells implements ShellSource {
    private static final int COLUMNS = 80;
    private static final int ROWS = 24;
    private static final int MAX_INPUT_BYTES = 98_304;

    /** Whatever there is. */
    private static final List<String> SHELL =
            List.of("/bin/sh", "-c", "command -v bash >/dev/null && exec bash -i; exec sh -i");

    /** A program that is not there says so on the terminal. */
    private static final List<String> COMMAND = List.of("/bin/sh", "-c", "exec \"$0\" \"$@\"");

    private final Queries queries;
    private final LiveSessions live;
    private final ShellEnds ends;
    private final RandomGenerator random;
    private final Map<ShellPath, LiveProgram> followed = new ConcurrentHashMap<>();

    public Shells(Queries queries, LiveSessions live, ShellEnds ends, RandomGenerator random) {
        this.queries = queries;
        this.live = live;
        this.ends = ends;
        this.random = random;
    }

    @Override
    public Shell open(Caller caller, String session, ShellRequest request) {
        Session row = session(caller, session);
        if (row.state().isFinal()) {
            throw OpException.of(
                    OpCode.SESSION_STOPPED,
                    "Session " + row.id() + " is over, and its sandbox with it.",
                    "Start a new one.");
        }
        ActionId id = ShellIds.fresh(random);
        List<String> argv = new ArrayList<>(request.getArgvCount() == 0 ? SHELL : COMMAND);
        argv.addAll(request.getArgvList());
        SpawnRequest program =
                SpawnRequest.onTerminal(
                        ExecRequest.of(argv.toArray(String[]::new)),
                        size("columns", request.getColumns(), COLUMNS),
                        size("rows", request.getRows(), ROWS));
        return Failures.guarded(() -> {
            try (Visit visit = visit(row)) {
                ends.begins(row, caller, id, request.getArgvList());
                visit.cell().spawn(id, program).close();
                ends.watch(row, visit, id);
            }
            return Shell.newBuilder().setId(ShellIds.text(id)).build();
        });
    }

    private static int size(String name, int given, int otherwise) {
        if (given < 0 || given > 65_535) {
            throw OpException.invalid(name, "is 1 to 65535");
        }
        return given == 0 ? otherwise : given;
    }

    @Override
    public ShellFeed follow(Caller caller, ShellPath shell, long after) {
        if (after < 0) {
            throw OpException.invalid("after", "is 0 or more");
        }
        Session row = session(caller, shell.session());
        ActionId id = ShellIds.parse(shell.shell());
        ShellPath key = key(row, shell);
        return Failures.guarded(() -> {
            Visit visit = visit(row);
            try {
                LiveProgram program = visit.cell().attach(id, after, 0);
                followed.put(key, program);
                ends.watch(row, visit, id);
                return new CellShellFeed(
                        program,
                        () -> {
                            followed.remove(key, program);
                            visit.close();
                        });
            } catch (CellException e) {
                live.lost(row.id(), visit.cell());
                visit.close();
                throw e;
            }
        });
    }

    @Override
    public ShellAccepted input(Caller caller, ShellPath shell, ShellInput input) {
        Bytes data = Bytes.wrap(input.getData().toByteArray());
        if (data.length() > MAX_INPUT_BYTES) {
            throw OpException.invalid("data", "has at most " + MAX_INPUT_BYTES + " bytes");
        }
        if (input.getOffset() < 0) {
            throw OpException.invalid("offset", "is 0 or more");
        }
        LiveProgram program = followed(caller, shell);
        return Failures.guarded(() ->
                ShellAccepted.newBuilder()
                        .setAccepted(done(program.input(input.getOffset(), data)))
                        .build());
    }

    @Override
    public void resize(Caller caller, ShellPath shell, ShellSize size) {
        int columns = size("columns", size.getColumns(), COLUMNS);
        int rows = size("rows", size.getRows(), ROWS);
        LiveProgram program = followed(caller, shell);
        boolean _ = Failures.guarded(() -> done(program.resize(columns, rows)));
    }

    @Override
    public void end(Caller caller, ShellPath shell) {
        Session row = session(caller, shell.session());
        ActionId id = ShellIds.parse(shell.shell());
        boolean _ =
                Failures.guarded(() -> {
                    try (Visit visit = visit(row)) {
                        visit.cell().cancel(id);
                    }
                    return true;
                });
    }

    private LiveProgram followed(Caller caller, ShellPath shell) {
        Session row = session(caller, shell.session());
        return Optional.ofNullable(followed.get(key(row, shell)))
                .orElseThrow(() ->
                        OpException.of(
                                OpCode.CONFLICT,
                                "Nobody follows shell " + shell.shell() + " here.",
                                "Follow it first: GET /v1/dev/{id}/shell/{shell}."));
    }

    private static ShellPath key(Session row, ShellPath shell) {
        return new ShellPath(row.id().value(), shell.shell());
    }

    private static <T> T done(Reply<T> reply) {
        return switch (reply) {
            case Reply.Done<T>(T value) -> value;
            case Reply.Refused<T>(var _, String message) ->
                    throw OpException.of(OpCode.CONFLICT, "The shell took nothing: " + message);
        };
    }

    private Session session(Caller caller, String id) {
        if (!caller.local()) {
            throw OpException.of(
                    OpCode.LOCAL_ONLY, "A shell is for the owner of this machine only.");
        }
        return queries.session(caller, id);
    }

    private Visit visit(Session row) {
        try {
            return live.visit(row.org(), row.id())
                    .orElseThrow(() ->
                            OpException.of(
                                    OpCode.CONFLICT,
                                    "The sandbox of session " + row.id() + " is not ours just now.",
                                    "Try again in a moment."));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw OpException.of(OpCode.DRAINING, "The host is going down.", "Try again.");
        }
    }
}
