package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.v1.ShellAccepted;
import ai.hanzo.dev.host.op.v1.ShellExit;
import ai.hanzo.dev.host.op.v1.ShellInput;
import ai.hanzo.dev.host.op.v1.ShellSize;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * This terminal, attached to a shell. What it prints is read by a thread of its own, what is typed
 * goes out on another. The host may go away in between: both come back to the next one and go on
 * where they were. Who leaves waits for neither: a stream that is read cannot be closed until
 * something comes, which may be the host's next sign of life.
 */
final class Attachment {
    private static final Duration SILENCE = Duration.ofSeconds(45);
    private static final int MOST_ATTEMPTS = 20;
    private static final int FIRST_PAUSE_MILLIS = 50;
    private static final int LONGEST_PAUSE_MILLIS = 1_000;
    private static final int TYPED_BYTES = 16_384;

    /** Refusals of a host that comes or goes. */
    private static final Set<String> PASSING =
            Set.of("conflict", "draining", "not_ready", "database_unavailable");

    private final Client client;
    private final Io io;
    private final String session;
    private final String shell;
    private final String path;
    private final CompletableFuture<End> ended = new CompletableFuture<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final CountDownLatch followed = new CountDownLatch(1);
    private long heard;

    Attachment(Client client, Io io, String session, String shell) {
        this.client = client;
        this.io = io;
        this.session = session;
        this.shell = shell;
        this.path = "/v1/dev/" + Client.encode(session) + "/shell/" + Client.encode(shell);
    }

    /** How a stream of what it prints ended. */
    sealed interface End {
        /** The shell is over. */
        record Exited(ShellExit exit) implements End {}

        /** This terminal has left it. */
        record Left() implements End {}

        /** Another terminal is attached now. */
        record Taken() implements End {}

        /** The host goes down, or the connection broke. */
        record Broken() implements End {}
    }

    /**
     * Stays attached until the shell ends or is left.
     *
     * @param isAgain whether the shell was running before: its program is told the size
     * @return the exit code
     */
    int run(boolean isAgain) {
        End end;
        try (RawTerminal _ = RawTerminal.take()) {
            Signals.on("WINCH", this::resize);
            end = attach(isAgain);
        }
        return switch (end) {
            case End.Left _ -> {
                io.err().println();
                io.err()
                        .println(
                                "hanzo: left running; go back with: hanzo dev shell "
                                        + session
                                        + " --attach "
                                        + shell);
                yield Exit.COMPLETE.code();
            }
            case End.Exited(ShellExit exit) -> {
                if (!exit.hasExit()) {
                    throw CliException.failed("The shell is over: " + exit.getMessage());
                }
                yield exit.getExit();
            }
            case End.Taken _ ->
                    throw CliException.failed("Another terminal is attached to the shell now.");
            case End.Broken _ ->
                    throw CliException.failed(
                            "The host went away and did not come back; the shell may still run:"
                                    + " hanzo dev shell "
                                    + session
                                    + " --attach "
                                    + shell);
        };
    }

    /** The same on any input and output. */
    End attach(boolean isAgain) {
        Thread.ofPlatform().daemon().name("typing").start(() -> type(isAgain));
        Thread.ofPlatform().daemon().name("following").start(this::followToTheEnd);
        try {
            return ended.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof CliException known ? known : e;
        } finally {
            over.countDown();
        }
    }

    private void followToTheEnd() {
        try {
            ended.complete(follow());
        } catch (RuntimeException | Error e) {
            ended.completeExceptionally(e);
        }
    }

    private End follow() {
        int pause = FIRST_PAUSE_MILLIS;
        for (int attempt = 0; attempt < MOST_ATTEMPTS && !ended.isDone(); attempt++) {
            long before = heard;
            End end = once();
            if (!(end instanceof End.Broken)) {
                return end;
            }
            if (heard > before) {
                attempt = 0;
                pause = FIRST_PAUSE_MILLIS;
            }
            if (!rest(pause)) {
                pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
                client.reconnect();
            }
        }
        return new End.Broken();
    }

    private End once() {
        Optional<HttpURLConnection> stream = Optional.empty();
        try {
            HttpURLConnection connection = client.streamOf(path, heard, SILENCE);
            stream = Optional.of(connection);
            followed.countDown();
            var events = new SseReader(connection.getInputStream());
            Optional<SseReader.Event> event = events.next();
            // What comes after this terminal has left is not printed any more.
            while (event.isPresent() && !ended.isDone()) {
                Optional<End> end = take(event.get());
                if (end.isPresent()) {
                    return end.get();
                }
                event = events.next();
            }
        } catch (IOException e) {
            // The host is gone.
        } catch (CliException e) {
            if (!PASSING.contains(e.code())) {
                throw e;
            }
        } finally {
            stream.ifPresent(HttpURLConnection::disconnect);
        }
        return new End.Broken();
    }

    private Optional<End> take(SseReader.Event event) throws IOException {
        return switch (event.name()) {
            case "output" -> {
                io.out().write(Base64.getDecoder().decode(event.data()));
                io.out().flush();
                heard = Long.parseLong(event.id());
                yield Optional.empty();
            }
            case "exit" -> {
                ShellExit.Builder exit = ShellExit.newBuilder();
                JsonFormat.parser().ignoringUnknownFields().merge(event.data(), exit);
                yield Optional.of(new End.Exited(exit.build()));
            }
            case "cut" ->
                    Optional.of(
                            event.data().contains("\"taken\"")
                                    ? new End.Taken()
                                    : new End.Broken());
            default -> Optional.empty();
        };
    }

    // ---- what goes the other way

    private void type(boolean isAgain) {
        try {
            followed.await();
            if (isAgain) {
                resize();
            }
            long sent = send(0, new byte[0]);
            var keys = new DetachKeys();
            byte[] typed = new byte[TYPED_BYTES];
            for (int n = io.in().read(typed); n >= 0; n = io.in().read(typed)) {
                DetachKeys.Typed meant = keys.take(typed, n);
                sent = send(sent, meant.bytes());
                if (meant.isDetach()) {
                    break;
                }
            }
            // Detached, or this terminal is gone.
            ended.complete(new End.Left());
        } catch (IOException | InterruptedException | CliException e) {
            // The shell or the host is over: whoever follows it says so.
        }
    }

    /** Sends all of it, however often; its place makes that it is taken once. */
    private long send(long offset, byte[] bytes) throws IOException, InterruptedException {
        long end = offset + bytes.length;
        long accepted = offset;
        boolean isFirst = true;
        int pause = FIRST_PAUSE_MILLIS;
        while ((isFirst || accepted < end) && over.getCount() > 0) {
            int from = (int) Math.max(accepted - offset, 0);
            ShellInput input =
                    ShellInput.newBuilder()
                            .setOffset(offset + from)
                            .setData(ByteString.copyFrom(bytes, from, bytes.length - from))
                            .build();
            try {
                long now =
                        client.post(path + "/input", input, ShellAccepted.getDefaultInstance())
                                .getAccepted();
                pause = now > accepted ? FIRST_PAUSE_MILLIS : pause;
                isFirst = false;
                accepted = now;
            } catch (IOException | CliException e) {
                pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
            }
            if ((isFirst || accepted < end) && rest(pause)) {
                return accepted;
            }
        }
        return accepted;
    }

    /** Waits; true when it is over by then. */
    private boolean rest(int millis) {
        try {
            return over.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void resize() {
        try {
            RawTerminal.Size size = RawTerminal.size();
            client.post(
                    path + "/size",
                    ShellSize.newBuilder().setColumns(size.columns()).setRows(size.rows()).build(),
                    ShellSize.getDefaultInstance());
        } catch (IOException | CliException e) {
            // A program that has just ended has no size.
        }
    }
}
