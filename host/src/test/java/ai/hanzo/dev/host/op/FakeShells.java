package ai.hanzo.dev.host.op;

import ai.hanzo.dev.host.op.v1.Shell;
import ai.hanzo.dev.host.op.v1.ShellAccepted;
import ai.hanzo.dev.host.op.v1.ShellExit;
import ai.hanzo.dev.host.op.v1.ShellInput;
import ai.hanzo.dev.host.op.v1.ShellRequest;
import ai.hanzo.dev.host.op.v1.ShellSize;
import ai.hanzo.dev.protocol.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One shell by hand, which echoes and ends at an {@code x}. Any thread. */
public final class FakeShells implements ShellSource {
    /** The id of the only shell. */
    public static final String ID = "shl_4000000000000001";

    // Guarded by this.
    private Bytes printed = Bytes.empty();
    private boolean ended;

    /** Whether its feeds give no sign of life between two pieces. */
    public volatile boolean silent;

    /** What was asked, in order. */
    public final List<String> asked = new ArrayList<>();

    private synchronized void ask(Caller caller, String what) {
        if (!caller.local()) {
            throw OpException.of(OpCode.LOCAL_ONLY, "A shell is for the owner only.");
        }
        asked.add(what);
    }

    private static void known(ShellPath shell) {
        if (!shell.shell().equals(ID)) {
            throw OpException.notFound("shell", shell.shell());
        }
    }

    @Override
    public Shell open(Caller caller, String session, ShellRequest request) {
        ask(caller, "open " + session + " " + request.getArgvList() + " " + request.getColumns());
        return Shell.newBuilder().setId(ID).build();
    }

    @Override
    public synchronized ShellAccepted input(Caller caller, ShellPath shell, ShellInput input) {
        known(shell);
        ask(caller, "input at " + input.getOffset());
        Bytes data = Bytes.wrap(input.getData().toByteArray());
        printed = printed.concat(data);
        ended |= data.toUtf8().contains("x");
        notifyAll();
        return ShellAccepted.newBuilder().setAccepted(printed.length()).build();
    }

    @Override
    public void resize(Caller caller, ShellPath shell, ShellSize size) {
        known(shell);
        ask(caller, "size " + size.getColumns() + " " + size.getRows());
    }

    @Override
    public synchronized void end(Caller caller, ShellPath shell) {
        known(shell);
        ask(caller, "end");
        ended = true;
        notifyAll();
    }

    @Override
    public ShellFeed follow(Caller caller, ShellPath shell, long after) {
        known(shell);
        ask(caller, "follow after " + after);
        return new Feed(after);
    }

    private final class Feed implements ShellFeed {
        private int at;
        private boolean closed;

        Feed(long after) {
            this.at = (int) after;
        }

        @Override
        public Optional<Item> next(Duration wait) throws InterruptedException {
            synchronized (FakeShells.this) {
                if (at >= printed.length() && !ended && !closed && !wait.isZero()) {
                    FakeShells.this.wait(silent ? 0 : wait.toMillis());
                }
                if (closed) {
                    return Optional.of(new Item.Cut(Reason.DRAINING));
                }
                if (at < printed.length()) {
                    var item = new Item.Output(at, printed.slice(at, printed.length()));
                    at = printed.length();
                    return Optional.of(item);
                }
                return ended
                        ? Optional.of(new Item.Exit(ShellExit.newBuilder().setExit(7).build()))
                        : Optional.empty();
            }
        }

        @Override
        public void close() {
            synchronized (FakeShells.this) {
                closed = true;
                FakeShells.this.notifyAll();
            }
        }
    }
}
