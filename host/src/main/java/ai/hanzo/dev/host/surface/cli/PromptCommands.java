package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.v1.ListRequest;
import ai.hanzo.dev.host.op.v1.ListResponse;
import ai.hanzo.dev.host.op.v1.Session;
import java.util.List;
import java.util.Optional;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Commands that send a prompt. */
final class PromptCommands {
    private PromptCommands() {}

    /** Takes the next word as it is, also when it looks like an option. */
    static final class Verbatim implements IParameterConsumer {
        @Override
        public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
            if (words.isEmpty()) {
                throw new ParameterException(command.commandLine(), "-p needs a prompt.");
            }
            option.setValue(words.pop());
        }
    }

    /** What both have in common. Filled by picocli. */
    abstract static class Prompting implements Callable<Integer> {
        @ParentCommand @Nullable Cli cli;

        @Option(
                names = "-p",
                paramLabel = "PROMPT",
                parameterConsumer = Verbatim.class,
                description = "The prompt, whatever it is.")
        @Nullable String forced;

        @Parameters(
                paramLabel = "PROMPT",
                description = "The prompt; - reads it from standard input.")
        @Nullable List<String> words;

        Cli cli() {
            return Given.parent(cli);
        }

        /** The prompt; empty when none was given. Reads standard input only for {@code -}. */
        Optional<String> prompt() {
            List<String> given = words == null ? List.of() : words;
            if (forced != null && !given.isEmpty()) {
                throw CliException.usage("Give the prompt once: with -p or as words.");
            }
            String prompt = forced != null ? forced : String.join(" ", given);
            if (prompt.equals("-")) {
                prompt = cli().io().readAll();
            }
            if (!prompt.isBlank()) {
                return Optional.of(prompt);
            }
            if (forced != null || !given.isEmpty()) {
                throw CliException.usage("The prompt is empty.");
            }
            return Optional.empty();
        }

        /** The session that --continue means; it keeps what it was opened with. */
        static String last(Client client, Options options, Requests requests) {
            Session last = newest(client, requests);
            keeps(last, "--policy", options.policy(), last.getPolicy().getName());
            keeps(last, "--model", options.model(), last.getModel());
            return last.getId();
        }

        private static void keeps(
                Session session, String option, Optional<String> wanted, String has) {
            if (wanted.isPresent() && !wanted.get().equals(has)) {
                throw CliException.usage(
                        "Session "
                                + session.getId()
                                + " was opened with "
                                + option
                                + " "
                                + has
                                + " and keeps it. Leave "
                                + option
                                + " out, or start another without --continue.");
            }
        }

        private static Session newest(Client client, Requests requests) {
            String path = requests.workspace().toString();
            ListResponse list =
                    client.call(
                            "list",
                            ListRequest.newBuilder().setPath(path).setLimit(20).build(),
                            ListResponse.getDefaultInstance());
            return list.getSessionsList().stream()
                    .filter(session -> session.getState() != Session.State.stopped)
                    .findFirst()
                    .orElseThrow(() ->
                            CliException.usage(
                                    "There is no session in "
                                            + path
                                            + " to continue. Start one without"
                                            + " --continue."));
        }

        Conversation.Ended send(
                Conversation conversation, Client client, Optional<String> session, String prompt) {
            Requests requests = cli().requests();
            boolean local = client.endpoint().local();
            return session.isPresent()
                    ? conversation.turn(session.get(), prompt, requests.env(local))
                    : conversation.start(requests.start(prompt, local));
        }

        Optional<String> session(Client client) {
            return cli().options().goOn
                    ? Optional.of(last(client, cli().options(), cli().requests()))
                    : Optional.empty();
        }
    }

    /** {@code hanzo dev PROMPT} and {@code hanzo dev}. */
    @Command(name = "run", hidden = true, description = "Send a prompt, or talk.")
    static final class Run extends Prompting {
        @Override
        public Integer call() {
            Optional<String> prompt = prompt();
            Io io = cli().io();
            if (prompt.isEmpty() && !io.terminal()) {
                throw CliException.usage(
                        "Give a prompt, or - to read it from standard input; a conversation needs a"
                                + " terminal.");
            }
            cli().requests().workspace();
            Client client = cli().client();
            View view =
                    cli().options().json
                            ? new JsonView(io.out())
                            : new TextView(io.out(), cli().style());
            var conversation =
                    new Conversation(client, io, view, cli().interrupts(), io.terminal());
            Optional<String> session = session(client);
            return prompt.isPresent()
                    ? send(conversation, client, session, prompt.get()).exit().code()
                    : talk(conversation, client, session);
        }

        /** Reads prompts until the input ends. */
        private int talk(Conversation conversation, Client client, Optional<String> first) {
            Io io = cli().io();
            io.out().println("What is to be done? Ctrl-D leaves.");
            Optional<String> session = first;
            Exit last = Exit.COMPLETE;
            while (true) {
                Optional<String> line = io.ask("> ");
                if (line.isEmpty() || line.get().strip().equals("/exit")) {
                    io.out().println();
                    return last.code();
                }
                if (line.get().isBlank()) {
                    continue;
                }
                try {
                    Conversation.Ended ended = send(conversation, client, session, line.get());
                    session = Optional.of(ended.session());
                    last = ended.exit();
                } catch (CliException e) {
                    if (session.isEmpty()) {
                        throw e;
                    }
                    io.err().println("hanzo: " + Style.safe(String.valueOf(e.getMessage())));
                    last = e.exit();
                }
            }
        }
    }

    /** {@code hanzo dev exec}: for scripts; never asks. */
    @Command(
            name = "exec",
            description = {
                "One turn for scripts: never asks. With --json each journal entry is a line of JSON",
                "(docs/events.md). Exit code 0 complete, 1 failed, 2 usage, 3 needs approval or",
                "denied, 130 cancelled."
            })
    static final class Exec extends Prompting {
        @Override
        public Integer call() {
            String prompt =
                    prompt().orElseThrow(() ->
                            CliException.usage(
                                    "Give a prompt, or - to read it from standard" + " input."));
            Io io = cli().io();
            cli().requests().workspace();
            Client client = cli().client();
            View view =
                    cli().options().json
                            ? new JsonView(io.out())
                            : new TextView(io.out(), cli().style());
            var conversation =
                    new Conversation(client, io, view, cli().interrupts(), /* mayAsk= */ false);
            return send(conversation, client, session(client), prompt).exit().code();
        }
    }
}
