package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.v1.CancelRequest;
import ai.hanzo.dev.host.op.v1.GetRequest;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.JournalRequest;
import ai.hanzo.dev.host.op.v1.JournalResponse;
import ai.hanzo.dev.host.op.v1.ListRequest;
import ai.hanzo.dev.host.op.v1.ListResponse;
import ai.hanzo.dev.host.op.v1.ResumeRequest;
import ai.hanzo.dev.host.op.v1.Session;
import ai.hanzo.dev.host.op.v1.StopRequest;
import ai.hanzo.dev.host.op.v1.SuspendRequest;
import ai.hanzo.dev.host.op.v1.TurnRequest;
import ai.hanzo.dev.host.op.v1.TurnResponse;
import com.google.protobuf.util.Timestamps;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Commands on sessions. */
final class SessionCommands {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneId.systemDefault());

    private SessionCommands() {}

    /** A command that has a parent. Filled by picocli. */
    abstract static class Child implements Callable<Integer> {
        @ParentCommand @Nullable Cli cli;

        Cli cli() {
            return Given.parent(cli);
        }

        PrintStream out() {
            return cli().io().out();
        }

        boolean json() {
            return cli().options().json;
        }
    }

    /** A command on one session. */
    abstract static class OnSession extends Child {
        @Parameters(paramLabel = "ID", description = "The session: ses_…")
        @Nullable String id;

        String id() {
            return Given.value(id);
        }
    }

    @Command(name = "ls", description = "List sessions, newest first.")
    static final class Ls extends Child {
        @Option(names = "--all", description = "Also the stopped ones.")
        boolean all;

        @Option(names = "--here", description = "Only those of this directory.")
        boolean here;

        @Override
        public Integer call() {
            Client client = cli().client();
            Optional<String> cursor = Optional.empty();
            do {
                ListRequest.Builder request = ListRequest.newBuilder().setLimit(100);
                cursor.ifPresent(request::setCursor);
                if (here) {
                    request.setPath(cli().requests().workspace().toString());
                }
                ListResponse page =
                        client.call("list", request.build(), ListResponse.getDefaultInstance());
                page.getSessionsList().stream()
                        .filter(s -> all || s.getState() != Session.State.stopped)
                        .forEach(this::print);
                cursor =
                        page.hasNextCursor() ? Optional.of(page.getNextCursor()) : Optional.empty();
            } while (cursor.isPresent());
            return Exit.COMPLETE.code();
        }

        private void print(Session session) {
            if (json()) {
                out().println(OpJson.print(session));
                return;
            }
            out().printf(
                            "%s  %-16s  %s  %s%n",
                            session.getId(),
                            session.getState(),
                            time(session.getUpdatedAt()),
                            Style.safe(session.getWorkspace().getPath()));
        }
    }

    static String time(com.google.protobuf.Timestamp at) {
        return TIME.format(Instant.ofEpochMilli(Timestamps.toMillis(at)));
    }

    @Command(name = "show", description = "Show a session and what it waits for.")
    static final class Show extends OnSession {
        @Override
        public Integer call() {
            Session session =
                    cli().client()
                            .call(
                                    "get",
                                    GetRequest.newBuilder().setId(id()).build(),
                                    Session.getDefaultInstance());
            if (json()) {
                out().println(OpJson.print(session));
                return Exit.COMPLETE.code();
            }
            out().println("id         " + session.getId());
            out().println(
                            "state      "
                                    + session.getState()
                                    + (session.hasMessage()
                                            ? "  " + Style.safe(session.getMessage())
                                            : ""));
            out().println("sequence   " + session.getSequence());
            out().println("workspace  " + JournalView.where(session));
            out().println(
                            "tokens     "
                                    + session.getUsage().getInputTokens()
                                    + " in, "
                                    + session.getUsage().getOutputTokens()
                                    + " out");
            if (session.hasTurn()) {
                out().println(
                                "turn       "
                                        + session.getTurn().getId()
                                        + "  "
                                        + session.getTurn().getStatus());
            }
            out().println("created    " + time(session.getCreatedAt()));
            session.getPendingApprovalsList()
                    .forEach(a ->
                            out().println(
                                            "approve?   "
                                                    + a.getId()
                                                    + "  "
                                                    + a.getOp()
                                                    + ": "
                                                    + Style.line(a.getSummary(), 200)));
            session.getPendingQuestionsList()
                    .forEach(q -> out().println("answer?    " + Style.line(q.getQuestion(), 200)));
            return Exit.COMPLETE.code();
        }
    }

    @Command(name = "attach", description = "Follow a session, and answer what it asks.")
    static final class Attach extends OnSession {
        @Override
        public Integer call() {
            Client client = cli().client();
            Io io = cli().io();
            View view = json() ? new JsonView(io.out()) : new TextView(io.out(), cli().style());
            giveKey(client);
            return new Conversation(client, io, view, cli().interrupts(), io.terminal())
                    .attach(id())
                    .exit()
                    .code();
        }

        /** A session that waits for a key goes on with the ones of this environment. */
        private void giveKey(Client client) {
            Session session =
                    client.call(
                            "get",
                            GetRequest.newBuilder().setId(id()).build(),
                            Session.getDefaultInstance());
            Map<String, String> env = cli().requests().env(client.endpoint().local());
            if (session.getState() == Session.State.waiting_input
                    && session.getCode().equals("key_missing")
                    && !env.isEmpty()) {
                client.call(
                        "turn",
                        TurnRequest.newBuilder()
                                .setId(id())
                                .putAllEnv(env)
                                .setIdempotencyKey(Conversation.newKey())
                                .build(),
                        TurnResponse.getDefaultInstance());
            }
        }
    }

    @Command(name = "log", description = "Print the journal of a session.")
    static final class Log extends OnSession {
        @Option(names = "--follow", description = "Go on with what comes.")
        boolean follow;

        @Option(names = "--after", paramLabel = "SEQ", description = "Only what comes after it.")
        int after;

        @Override
        public Integer call() {
            Client client = cli().client();
            View view = json() ? new JsonView(out()) : new JournalView(out(), cli().style());
            int last = after;
            boolean more = true;
            while (more) {
                JournalResponse page =
                        client.call(
                                "journal",
                                JournalRequest.newBuilder()
                                        .setId(id())
                                        .setAfter(last)
                                        .setLimit(500)
                                        .build(),
                                JournalResponse.getDefaultInstance());
                for (JournalEntry entry : page.getEntriesList()) {
                    view.entry(entry, OpJson.print(entry));
                    last = entry.getSeq();
                }
                more = page.getMore() && page.getEntriesCount() > 0;
            }
            if (follow) {
                new Follower(client, id(), last, listener(view)).run();
            }
            return Exit.COMPLETE.code();
        }

        private static Follower.Listener listener(View view) {
            return new Follower.Listener() {
                @Override
                public boolean entry(JournalEntry entry, String json) {
                    view.entry(entry, json);
                    return true;
                }

                @Override
                public void delta(ai.hanzo.dev.host.op.v1.Delta delta) {}
            };
        }
    }

    @Command(name = "cancel", description = "Cancel the turn that runs.")
    static final class Cancel extends OnSession {
        @Override
        public Integer call() {
            Session session =
                    cli().client()
                            .call(
                                    "cancel",
                                    CancelRequest.newBuilder().setId(id()).build(),
                                    Session.getDefaultInstance());
            out().println(json() ? OpJson.print(session) : session.getState().toString());
            return Exit.COMPLETE.code();
        }
    }

    @Command(
            name = "suspend",
            description = "Put a session away: it keeps its journal and holds nothing else.")
    static final class Suspend extends OnSession {
        @Override
        public Integer call() {
            Session session =
                    cli().client()
                            .call(
                                    "suspend",
                                    SuspendRequest.newBuilder().setId(id()).build(),
                                    Session.getDefaultInstance());
            out().println(json() ? OpJson.print(session) : session.getState().toString());
            return Exit.COMPLETE.code();
        }
    }

    @Command(name = "resume", description = "Go on with a session that was put away.")
    static final class Resume extends OnSession {
        @Override
        public Integer call() {
            Client client = cli().client();
            Session session =
                    client.call(
                            "resume",
                            ResumeRequest.newBuilder()
                                    .setId(id())
                                    .putAllEnv(cli().requests().env(client.endpoint().local()))
                                    .build(),
                            Session.getDefaultInstance());
            out().println(json() ? OpJson.print(session) : session.getState().toString());
            return Exit.COMPLETE.code();
        }
    }

    @Command(name = "rm", description = "Stop a session for good; its journal stays.")
    static final class Rm extends OnSession {
        @Override
        public Integer call() {
            Session session =
                    cli().client()
                            .call(
                                    "stop",
                                    StopRequest.newBuilder().setId(id()).build(),
                                    Session.getDefaultInstance());
            out().println(json() ? OpJson.print(session) : session.getState().toString());
            return Exit.COMPLETE.code();
        }
    }
}
