package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.v1.Approval;
import ai.hanzo.dev.host.op.v1.CancelRequest;
import ai.hanzo.dev.host.op.v1.Decision;
import ai.hanzo.dev.host.op.v1.Delta;
import ai.hanzo.dev.host.op.v1.DiffRequest;
import ai.hanzo.dev.host.op.v1.DiffResponse;
import ai.hanzo.dev.host.op.v1.GetRequest;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.Question;
import ai.hanzo.dev.host.op.v1.ResolveRequest;
import ai.hanzo.dev.host.op.v1.Session;
import ai.hanzo.dev.host.op.v1.StartRequest;
import ai.hanzo.dev.host.op.v1.TurnRequest;
import ai.hanzo.dev.host.op.v1.TurnResponse;
import java.util.Optional;
import java.util.UUID;

/**
 * One turn at a time between a person and a session: sends the prompt, shows what comes, asks for
 * approvals and answers, cancels on Ctrl-C, and says how it ended. One thread.
 */
final class Conversation {
    private final Client client;
    private final Io io;
    private final View view;
    private final Interrupts interrupts;
    private final boolean mayAsk;
    private volatile boolean early;

    /**
     * A way to talk.
     *
     * @param mayAsk false: what needs a person ends the command with {@link Exit#NEEDS_APPROVAL}
     */
    Conversation(Client client, Io io, View view, Interrupts interrupts, boolean mayAsk) {
        this.client = client;
        this.io = io;
        this.view = view;
        this.interrupts = interrupts;
        this.mayAsk = mayAsk;
    }

    /** How a turn ended, and in which session. */
    record Ended(String session, Exit exit) {}

    /** Starts a session with its first prompt and follows it to the end of the turn. */
    Ended start(StartRequest.Builder request) {
        interrupts.onFirst(this::early);
        Session session =
                client.call(
                        "start",
                        request.setIdempotencyKey(newKey()).build(),
                        Session.getDefaultInstance());
        view.session(session);
        return follow(session, 0, session.getTurn().getId());
    }

    /** Gives a session a prompt and follows it to the end of the turn. */
    Ended turn(String id, String prompt, java.util.Map<String, String> env) {
        interrupts.onFirst(this::early);
        TurnResponse begun =
                client.call(
                        "turn",
                        TurnRequest.newBuilder()
                                .setId(id)
                                .setPrompt(prompt)
                                .putAllEnv(env)
                                .setIdempotencyKey(newKey())
                                .build(),
                        TurnResponse.getDefaultInstance());
        return follow(get(id), begun.getSequence() - 1, begun.getTurn());
    }

    /** Follows the turn that runs or waits; at once over when none does. */
    Ended attach(String id) {
        Session session = get(id);
        view.session(session);
        return switch (session.getState()) {
            case running, waiting_approval, waiting_input, waiting_quota ->
                    follow(session, session.getSequence(), session.getTurn().getId());
            case idle, suspended, stopped -> new Ended(id, Exit.COMPLETE);
            case failed, state_unspecified, UNRECOGNIZED -> {
                io.err().println("hanzo: " + Style.safe(session.getMessage()));
                yield new Ended(id, Exit.FAILED);
            }
        };
    }

    /** Ctrl-C while the turn is on its way to the host: it is cancelled once it is there. */
    private void early() {
        early = true;
        io.err().println();
        io.err().println("hanzo: cancelling the turn when it begins; Ctrl-C again leaves at once");
    }

    static String newKey() {
        return UUID.randomUUID().toString();
    }

    private Session get(String id) {
        return client.call(
                "get", GetRequest.newBuilder().setId(id).build(), Session.getDefaultInstance());
    }

    private Ended follow(Session session, int after, int turn) {
        var following = new Following(session.getId(), turn);
        interrupts.onFirst(following::cancel);
        try {
            if (early) {
                early = false;
                following.cancel();
            }
            if (following.settleWhatWaits(session)) {
                new Follower(client, session.getId(), after, following).run();
            }
        } finally {
            interrupts.clear();
        }
        Exit exit = following.exit();
        if (following.turnEnded) {
            view.end(get(session.getId()), changed(session.getId()));
        }
        return new Ended(session.getId(), exit);
    }

    private DiffResponse changed(String session) {
        return client.call(
                "diff",
                DiffRequest.newBuilder().setId(session).build(),
                DiffResponse.getDefaultInstance());
    }

    /** What is known of the turn that is followed. */
    private final class Following implements Follower.Listener {
        private final String session;
        private final int turn;
        private Optional<Exit> exit = Optional.empty();
        private boolean denied;
        private boolean turnEnded;
        private volatile boolean cancelled;
        private volatile boolean asking;

        Following(String session, int turn) {
            this.session = session;
            this.turn = turn;
        }

        Exit exit() {
            Exit known = exit.orElse(Exit.FAILED);
            if (cancelled) {
                return Exit.CANCELLED;
            }
            return known == Exit.COMPLETE && denied ? Exit.NEEDS_APPROVAL : known;
        }

        /** On Ctrl-C, in the thread of the signal. */
        void cancel() {
            cancelled = true;
            io.err().println();
            io.err().println("hanzo: cancelling the turn; Ctrl-C again leaves at once");
            client.call(
                    "cancel",
                    CancelRequest.newBuilder().setId(session).setTurn(turn).build(),
                    Session.getDefaultInstance());
            if (asking) {
                // Nobody will answer the question that stands on the terminal.
                Runtime.getRuntime().halt(Exit.CANCELLED.code());
            }
        }

        @Override
        public void delta(Delta delta) {
            view.delta(delta);
        }

        @Override
        public boolean entry(JournalEntry entry, String json) {
            view.entry(entry, json);
            return switch (entry.getKind()) {
                case action -> action(entry);
                case approval -> {
                    denied |= entry.getApproval().getStatus() == Approval.Status.rejected;
                    yield true;
                }
                case model_failed -> !waitsForKey(entry);
                case note -> !entry.getNote().getTopic().equals("stop") || end(Exit.FAILED);
                case config,
                        turn,
                        model,
                        result,
                        answer,
                        timer,
                        cancel,
                        resume,
                        stop,
                        suspend,
                        kind_unspecified,
                        UNRECOGNIZED ->
                        true;
            };
        }

        private boolean end(Exit how) {
            exit = Optional.of(how);
            return false;
        }

        private boolean action(JournalEntry entry) {
            denied |= entry.getDecision().getVerdict() == Decision.Verdict.block;
            if (entry.hasDone() && (entry.getTurn() == turn || turn == 0)) {
                turnEnded = true;
                return end(
                        switch (entry.getDone().getOutcome()) {
                            case complete -> Exit.COMPLETE;
                            case cancelled -> Exit.CANCELLED;
                            case failed, outcome_unspecified, UNRECOGNIZED -> Exit.FAILED;
                        });
            }
            return switch (entry.getDecision().getVerdict()) {
                case require_expert_approval, require_client_approval ->
                        settleWhatWaits(get(session));
                case allow, observe, block, verdict_unspecified, UNRECOGNIZED ->
                        !entry.hasAsk() || settleWhatWaits(get(session));
            };
        }

        private boolean waitsForKey(JournalEntry entry) {
            if (!entry.getFailure().getCode().equals("key_missing")) {
                return false;
            }
            Session now = get(session);
            if (now.getState() != Session.State.waiting_input) {
                return false;
            }
            io.err()
                    .println(
                            "hanzo: "
                                    + Style.safe(now.getMessage())
                                    + " Set the key and go on with: hanzo dev attach "
                                    + session);
            end(Exit.FAILED);
            return true;
        }

        /** Asks the person for all that waits; false to stop following. */
        boolean settleWhatWaits(Session now) {
            for (Approval approval : now.getPendingApprovalsList()) {
                if (!settle(approval)) {
                    return end(Exit.NEEDS_APPROVAL);
                }
            }
            for (Question question : now.getPendingQuestionsList()) {
                if (!settle(question)) {
                    return end(Exit.NEEDS_APPROVAL);
                }
            }
            return true;
        }

        private Optional<String> ask(String prompt) {
            asking = true;
            try {
                return mayAsk ? io.ask(prompt) : Optional.empty();
            } finally {
                asking = false;
            }
        }

        private boolean settle(Approval approval) {
            String what = approval.getOp() + ": " + Style.line(approval.getSummary(), 400);
            Optional<String> said = ask("\n" + what + "\nAllow it? [y/N, or a reason why not] ");
            if (said.isEmpty()) {
                io.err().println("hanzo: this needs an approval: " + what);
                io.err()
                        .println(
                                "hanzo: approve with: hanzo dev approve "
                                        + approval.getId()
                                        + "   then: hanzo dev attach "
                                        + session);
                return false;
            }
            String word = said.get().strip();
            boolean yes = word.equalsIgnoreCase("y") || word.equalsIgnoreCase("yes");
            ResolveRequest.Builder request =
                    ResolveRequest.newBuilder()
                            .setId(approval.getId())
                            .setDecision(
                                    yes
                                            ? ResolveRequest.Resolution.approve
                                            : ResolveRequest.Resolution.deny)
                            .setIdempotencyKey(newKey());
            if (!yes && word.length() > 3) {
                request.setNote(word);
            }
            resolve(request.build());
            return true;
        }

        /** Someone else may have been quicker, on another surface: then that counts. */
        private void resolve(ResolveRequest request) {
            try {
                client.call("resolve", request, Approval.getDefaultInstance());
            } catch (CliException e) {
                if (!e.code().equals("already_resolved")) {
                    throw e;
                }
            }
        }

        private boolean settle(Question question) {
            var text = new StringBuilder("\n" + Style.safe(question.getQuestion()) + "\n");
            question.getChoicesList()
                    .forEach(c -> text.append("  - ").append(Style.safe(c)).append('\n'));
            Optional<String> said = ask(text + "> ");
            if (said.isEmpty()) {
                io.err()
                        .println(
                                "hanzo: this needs an answer: "
                                        + Style.line(question.getQuestion(), 400)
                                        + (question.getChoicesCount() == 0
                                                ? ""
                                                : " ("
                                                        + Style.line(
                                                                String.join(
                                                                        ", ",
                                                                        question.getChoicesList()),
                                                                400)
                                                        + ")"));
                io.err()
                        .println(
                                "hanzo: answer with: hanzo dev answer "
                                        + session
                                        + " TEXT   then: hanzo dev attach "
                                        + session);
                return false;
            }
            client.call(
                    "turn",
                    TurnRequest.newBuilder()
                            .setId(session)
                            .setAnswer(
                                    TurnRequest.Answer.newBuilder()
                                            .setQuestion(question.getId())
                                            .setText(said.get()))
                            .setIdempotencyKey(newKey())
                            .build(),
                    TurnResponse.getDefaultInstance());
            return true;
        }
    }
}
