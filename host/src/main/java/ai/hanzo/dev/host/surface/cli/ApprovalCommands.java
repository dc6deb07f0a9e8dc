package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.v1.Approval;
import ai.hanzo.dev.host.op.v1.ApprovalsRequest;
import ai.hanzo.dev.host.op.v1.ApprovalsResponse;
import ai.hanzo.dev.host.op.v1.GetRequest;
import ai.hanzo.dev.host.op.v1.Question;
import ai.hanzo.dev.host.op.v1.ResolveRequest;
import ai.hanzo.dev.host.op.v1.Session;
import ai.hanzo.dev.host.op.v1.TurnRequest;
import ai.hanzo.dev.host.op.v1.TurnResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands for what waits for a person. */
final class ApprovalCommands {
    private ApprovalCommands() {}

    @Command(name = "approvals", description = "List what waits for your decision.")
    static final class Approvals extends SessionCommands.Child {
        @Override
        public Integer call() {
            ApprovalsResponse list =
                    cli().client()
                            .call(
                                    "approvals",
                                    ApprovalsRequest.newBuilder()
                                            .setStatus(Approval.Status.pending)
                                            .build(),
                                    ApprovalsResponse.getDefaultInstance());
            for (Approval approval : list.getApprovalsList()) {
                out().println(
                                json()
                                        ? OpJson.print(approval)
                                        : approval.getId()
                                                + "  "
                                                + approval.getSession()
                                                + "  "
                                                + approval.getOp()
                                                + ": "
                                                + Style.line(approval.getSummary(), 200));
            }
            return Exit.COMPLETE.code();
        }
    }

    /** Approve and deny. */
    abstract static class Resolving extends SessionCommands.Child {
        @Parameters(paramLabel = "ID", description = "The approval: apr_…")
        @Nullable String id;

        Integer resolve(ResolveRequest.Resolution how, @Nullable String note) {
            ResolveRequest.Builder request =
                    ResolveRequest.newBuilder()
                            .setId(Given.value(id))
                            .setDecision(how)
                            .setIdempotencyKey(Conversation.newKey());
            if (note != null) {
                request.setNote(note);
            }
            Approval approval =
                    cli().client().call("resolve", request.build(), Approval.getDefaultInstance());
            out().println(
                            json()
                                    ? OpJson.print(approval)
                                    : approval.getStatus() + "  " + approval.getSession());
            return Exit.COMPLETE.code();
        }
    }

    @Command(name = "approve", description = "Let a waiting action be done, once.")
    static final class Approve extends Resolving {
        @Override
        public Integer call() {
            return resolve(ResolveRequest.Resolution.approve, null);
        }
    }

    @Command(name = "deny", description = "Refuse a waiting action; the model is told.")
    static final class Deny extends Resolving {
        @Option(names = "--note", paramLabel = "TEXT", description = "Why, for the model.")
        @Nullable String note;

        @Override
        public Integer call() {
            return resolve(ResolveRequest.Resolution.deny, note);
        }
    }

    @Command(name = "answer", description = "Answer the question that a session asks.")
    static final class AnswerQuestion extends SessionCommands.OnSession {
        @Parameters(
                index = "1..*",
                arity = "1..*",
                paramLabel = "TEXT",
                description = "The answer.")
        @Nullable List<String> words;

        @Option(
                names = "--question",
                paramLabel = "Q",
                description = "Which one, when several wait: ses_…/n.")
        @Nullable String question;

        @Override
        public Integer call() {
            Client client = cli().client();
            TurnResponse response =
                    client.call(
                            "turn",
                            TurnRequest.newBuilder()
                                    .setId(id())
                                    .setAnswer(
                                            TurnRequest.Answer.newBuilder()
                                                    .setQuestion(question(client))
                                                    .setText(
                                                            String.join(
                                                                    " ",
                                                                    words == null
                                                                            ? List.of()
                                                                            : words)))
                                    .setIdempotencyKey(Conversation.newKey())
                                    .build(),
                            TurnResponse.getDefaultInstance());
            out().println(
                            json()
                                    ? OpJson.print(response)
                                    : "answered, entry " + response.getSequence());
            return Exit.COMPLETE.code();
        }

        private String question(Client client) {
            if (question != null) {
                return question;
            }
            List<Question> waiting =
                    client.call(
                                    "get",
                                    GetRequest.newBuilder().setId(id()).build(),
                                    Session.getDefaultInstance())
                            .getPendingQuestionsList();
            if (waiting.isEmpty()) {
                throw CliException.failed("Session " + id() + " asks nothing now.");
            }
            if (waiting.size() > 1) {
                throw CliException.usage(
                        "Session "
                                + id()
                                + " asks more than one question; name one with --question: "
                                + String.join(
                                        ", ", waiting.stream().map(Question::getId).toList()));
            }
            return waiting.getFirst().getId();
        }
    }
}
