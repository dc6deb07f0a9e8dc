package ai.hanzo.dev.host.surface.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.op.Entries;
import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.v1.Approval;
import ai.hanzo.dev.host.op.v1.AskDetail;
import ai.hanzo.dev.host.op.v1.CancelRequest;
import ai.hanzo.dev.host.op.v1.Decision;
import ai.hanzo.dev.host.op.v1.DoneDetail;
import ai.hanzo.dev.host.op.v1.Entry;
import ai.hanzo.dev.host.op.v1.Question;
import ai.hanzo.dev.host.op.v1.ResolveRequest;
import ai.hanzo.dev.host.op.v1.Session;
import ai.hanzo.dev.host.op.v1.StartRequest;
import ai.hanzo.dev.host.op.v1.Turn;
import ai.hanzo.dev.host.op.v1.TurnRequest;
import ai.hanzo.dev.host.op.v1.UndoRequest;
import ai.hanzo.dev.host.surface.rest.Served;
import com.google.protobuf.Message;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
final class CliTest {
    private final Served served = new Served();
    private final CliRun cli = new CliRun(served);
    @TempDir private Path directory = Path.of("/");

    @AfterEach
    void close() {
        served.close();
    }

    private <M extends Message> M asked(Class<M> type) {
        return served.host.asked.stream()
                .map(asked -> asked.request())
                .filter(type::isInstance)
                .map(type::cast)
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    private String opened() {
        assertThat(cli.in(directory).run("exec", "open")).isZero();
        return served.host.ids().getLast();
    }

    static Stream<Arguments> promptsAndWords() {
        return Stream.of(
                Arguments.of(List.of("fix it"), "fix it"),
                Arguments.of(List.of("fix", "the", "log"), "fix the log"),
                Arguments.of(List.of("--model", "openai:x", "fix"), "fix"),
                Arguments.of(List.of("fix", "--model", "openai:x"), "fix"),
                Arguments.of(List.of("--", "show", "me"), "show me"),
                Arguments.of(List.of("--", "--model"), "--model"),
                Arguments.of(List.of("-p", "ls"), "ls"),
                Arguments.of(List.of("exec", "log in"), "log in"),
                Arguments.of(List.of("exec", "fix", "ls"), "fix ls"),
                Arguments.of(List.of("--json", "exec", "a"), "a"),
                Arguments.of(List.of("exec", "--json", "--", "-x"), "-x"),
                Arguments.of(List.of("exec", "-p", "--json"), "--json"),
                Arguments.of(List.of("-"), "from stdin"),
                Arguments.of(List.of("exec", "-"), "from stdin"));
    }

    @ParameterizedTest
    @MethodSource("promptsAndWords")
    void aFirstWordThatIsNoCommandIsAPrompt(List<String> words, String prompt) {
        cli.stdin(new ByteArrayInputStream("from stdin".getBytes(StandardCharsets.UTF_8)));

        assertThat(cli.in(directory).run(words.toArray(String[]::new))).as(cli.err()).isZero();
        assertThat(asked(StartRequest.class).getPrompt()).isEqualTo(prompt);
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(List.of(), "Give a prompt"),
                Arguments.of(List.of("exec"), "Give a prompt"),
                Arguments.of(List.of("exec", " "), "The prompt is empty"),
                Arguments.of(List.of("-p", "a", "b"), "once"),
                Arguments.of(List.of("show"), "ID"),
                Arguments.of(List.of("show", "me", "more"), "hanzo dev -- show me more"),
                Arguments.of(List.of("ls", "--wrong"), "--wrong"),
                Arguments.of(List.of("--wrong"), "--wrong"),
                Arguments.of(List.of("-C", "/nowhere/at/all", "x"), "is not a directory"),
                Arguments.of(List.of("--policy", "lax", "x"), "no policy lax"),
                Arguments.of(List.of("--model", "script:none.json", "x"), "none.json"),
                Arguments.of(List.of("undo", "ses_1", "--to", "x"), "--to"),
                Arguments.of(List.of("host"), "host start"),
                Arguments.of(List.of("core"), "core verify"),
                Arguments.of(List.of("--continue", "x"), "no session in"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeOfUsageIsASentenceAndExitCodeTwo(List<String> words, String said) {
        assertThat(cli.in(directory).run(words.toArray(String[]::new))).isEqualTo(2);
        assertThat(cli.err()).startsWith("hanzo: ").contains(said);
        assertThat(served.host.ids()).isEmpty();
    }

    /** H12: a pipe that nobody closes holds nothing up. */
    @Test
    void aPromptIsSentWhileStandardInputIsAnOpenPipe() throws IOException {
        try (var never = new PipedOutputStream();
                InputStream pipe = new PipedInputStream(never)) {
            assertThat(cli.stdin(pipe).in(directory).run("hi")).isZero();
        }
        assertThat(asked(StartRequest.class).getPrompt()).isEqualTo("hi");
    }

    @Test
    void theRequestNamesTheRealDirectoryAndCarriesTheFiles() throws IOException {
        Path real = Files.createDirectory(directory.resolve("real"));
        Files.createSymbolicLink(directory.resolve("link"), real);
        Files.writeString(directory.resolve("s.json"), "[]");
        Files.writeString(directory.resolve("rules"), "allow all");

        cli.in(directory)
                .run("exec", "-C", "link", "--model", "script:s.json", "--policy", "rules", "p");

        StartRequest request = asked(StartRequest.class);
        assertThat(request.getWorkspace().getPath()).isEqualTo(real.toRealPath().toString());
        assertThat(request.getModel()).isEqualTo("script:s.json");
        assertThat(request.getScript()).isEqualTo("[]");
        assertThat(request.getPolicy().getRules()).isEqualTo("allow all");
        assertThat(request.getIdempotencyKey()).isNotEmpty();
    }

    @Test
    void keysDoNotGoToAHostElsewhere() {
        cli.env("OPENAI_API_KEY", "secret").in(directory).run("exec", "p");

        assertThat(asked(StartRequest.class).getEnvMap()).isEmpty();
    }

    @Test
    void jsonLinesAreTheJournal() {
        served.host.onTurn =
                id -> {
                    served.host.delta(id, "passing");
                    served.host.append(id, Entries.exec(1, 2, List.of("ls")));
                    served.host.append(id, Entries.result(2, 0, "a\nb\n"));
                    served.host.complete(id, "done");
                };

        assertThat(cli.in(directory).run("exec", "--json", "p")).isZero();
        List<String> journal =
                served.host.entries(served.host.ids().getFirst()).stream()
                        .map(OpJson::print)
                        .toList();
        assertThat(cli.out().lines().toList()).isEqualTo(journal).hasSize(6);
    }

    @Test
    void aPersonSeesTextCommandsResultsAndTheEnd() {
        served.host.onTurn =
                id -> {
                    served.host.append(id, Entries.exec(1, 2, List.of("sh", "-c", "echo hi")));
                    served.host.append(id, Entries.result(2, 3, "hi\033[2J\n"));
                    served.host.complete(id, "All done.");
                };

        assertThat(cli.in(directory).run("p")).isZero();
        assertThat(cli.out())
                .contains(
                        "$ sh -c 'echo hi'\n",
                        "  hi\\x1b[2J\n",
                        "  exit 3\n",
                        "All done.\n",
                        "M a.txt  +1 -1\n",
                        "0 tokens in, 0 out",
                        "undo with: hanzo dev undo ses_")
                .doesNotContain("\033");
    }

    @Test
    void aTurnThatFailsExitsWithOne() {
        served.host.onTurn =
                id ->
                        served.host.end(
                                id,
                                Entries.of(Entry.Kind.action, "failed")
                                        .setTurn(1)
                                        .setOp("done")
                                        .setDone(
                                                DoneDetail.newBuilder()
                                                        .setOutcome(DoneDetail.Outcome.failed)
                                                        .setCode("context_overflow")
                                                        .setMessage("too long")),
                                Turn.Status.failed);

        assertThat(cli.in(directory).run("exec", "p")).isEqualTo(1);
        assertThat(cli.out()).contains("failed: too long [context_overflow]");
    }

    @Test
    void whatTheHostRefusesIsASentenceWithItsNextStep() {
        assertThat(cli.run("show", "ses_none")).isEqualTo(1);
        assertThat(cli.err()).contains("no session ses_none. See", "hanzo dev ls. [not_found]\n");
    }

    @Test
    void aHostThatIsNotThereIsASentence() {
        assertThat(cli.host("http://127.0.0.1:1").in(directory).run("exec", "p")).isEqualTo(1);
        assertThat(cli.err()).contains("The host at http://127.0.0.1:1/ does not answer");
        assertThat(cli.env("HANZO_TOKEN", "").run("ls")).isEqualTo(2);
        assertThat(cli.host("nonsense:x:y").env("HANZO_TOKEN", "t").run("ls")).isEqualTo(2);
    }

    private Approval ask(String id) {
        Approval approval =
                Approval.newBuilder()
                        .setId("apr_1")
                        .setSession(id)
                        .setAction(2)
                        .setOp("exec")
                        .setSummary("git push")
                        .setStatus(Approval.Status.pending)
                        .build();
        served.host.await(approval);
        served.host.append(
                id,
                Entries.exec(1, 2, List.of("git", "push"))
                        .setDecision(
                                Entries.decision(Decision.Verdict.require_client_approval)
                                        .toBuilder()
                                        .setApproval("apr_1")));
        return approval;
    }

    private void resolved(Approval approval) {
        served.host.append(
                approval.getSession(),
                Entries.of(Entry.Kind.approval, "resolved")
                        .setApproval(
                                ai.hanzo.dev.host.op.v1.ApprovalDetail.newBuilder()
                                        .setApproval(approval.getId())
                                        .setStatus(approval.getStatus())));
        served.host.complete(approval.getSession(), "on we go");
    }

    @Test
    void withoutATerminalAnApprovalEndsTheCommandWithThreeAndSaysHowToGoOn() {
        served.host.onTurn = this::ask;

        assertThat(cli.in(directory).run("exec", "p")).isEqualTo(3);
        assertThat(cli.err())
                .contains("exec: git push", "hanzo dev approve apr_1", "hanzo dev attach ses_");
    }

    @Test
    void onATerminalAnApprovalIsAsked() {
        served.host.onTurn = this::ask;
        served.host.onResolve = this::resolved;

        assertThat(cli.types("y\n").in(directory).run("p")).as(cli.err()).isZero();
        assertThat(cli.out()).contains("exec: git push", "Allow it?", "on we go");
        assertThat(asked(ResolveRequest.class).getDecision())
                .isEqualTo(ResolveRequest.Resolution.approve);
    }

    @Test
    void aDenialIsToldWithItsReasonAndExitsWithThree() {
        served.host.onTurn = this::ask;
        served.host.onResolve = this::resolved;

        assertThat(cli.types("not on a Friday\n").in(directory).run("p")).isEqualTo(3);
        assertThat(asked(ResolveRequest.class).getDecision())
                .isEqualTo(ResolveRequest.Resolution.deny);
        assertThat(asked(ResolveRequest.class).getNote()).isEqualTo("not on a Friday");
    }

    @Test
    void anActionThatPolicyBlockedExitsWithThree() {
        served.host.onTurn =
                id -> {
                    served.host.append(
                            id,
                            Entries.exec(1, 2, List.of("rm"))
                                    .setDecision(Entries.decision(Decision.Verdict.block)));
                    served.host.complete(id, "could not");
                };

        assertThat(cli.in(directory).run("exec", "p")).isEqualTo(3);
        assertThat(cli.out()).contains("blocked by workspace");
    }

    private void question(String id) {
        served.host.change(
                id,
                session ->
                        session.setState(Session.State.waiting_input)
                                .addPendingQuestions(
                                        Question.newBuilder()
                                                .setId(id + "/2")
                                                .setQuestion("Which colour?")
                                                .addChoices("red")));
        served.host.append(
                id,
                Entries.of(Entry.Kind.action, "asks")
                        .setTurn(1)
                        .setAction(2)
                        .setOp("ask")
                        .setDecision(Entries.decision(Decision.Verdict.allow))
                        .setAsk(AskDetail.newBuilder().setQuestionId(id + "/2")));
    }

    @Test
    void aQuestionIsAskedOnTheTerminalAndItsAnswerSent() {
        served.host.onTurn = this::question;
        served.host.onAnswer = id -> served.host.complete(id, "red it is");

        assertThat(cli.types("red\n").in(directory).run("p")).isZero();
        assertThat(cli.out()).contains("Which colour?", "  - red", "red it is");
        assertThat(asked(TurnRequest.class).getAnswer().getText()).isEqualTo("red");
    }

    @Test
    void aQuestionWithoutATerminalIsAnsweredByACommandAndTheSessionAttachedTo() {
        served.host.onTurn = this::question;

        assertThat(cli.in(directory).run("exec", "p")).isEqualTo(3);
        String id = served.host.ids().getFirst();
        assertThat(cli.run("answer", id, "dark", "red")).isZero();
        assertThat(asked(TurnRequest.class).getAnswer())
                .isEqualTo(
                        TurnRequest.Answer.newBuilder()
                                .setQuestion(id + "/2")
                                .setText("dark red")
                                .build());
        served.host.onCancel = i -> served.host.complete(i, "finished");
        served.host.complete(id, "finished");
        assertThat(cli.run("attach", id)).isZero();
        assertThat(cli.run("answer", id, "again")).isEqualTo(1);
    }

    @Test
    void ctrlCCancelsTheTurnAndExitsWith130() throws InterruptedException {
        var running = new CountDownLatch(1);
        served.host.onTurn = _ -> running.countDown();
        served.host.onCancel =
                id ->
                        served.host.end(
                                id,
                                Entries.ended(1, DoneDetail.Outcome.cancelled),
                                Turn.Status.cancelled);
        var presser =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                running.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            org.awaitility.Awaitility.await()
                                    .until(() -> !served.server.idle().isPositive());
                            cli.interrupts.fire();
                        });

        assertThat(cli.in(directory).run("exec", "p")).isEqualTo(130);
        presser.join();
        assertThat(asked(CancelRequest.class).getTurn()).isEqualTo(1);
        assertThat(cli.left.get()).isZero();
    }

    @Test
    void ctrlCWhileTheTurnIsOnItsWayCancelsItWhenItHasBegun() {
        served.host.onTurn = _ -> cli.interrupts.fire();
        served.host.onCancel =
                id ->
                        served.host.end(
                                id,
                                Entries.ended(1, DoneDetail.Outcome.cancelled),
                                Turn.Status.cancelled);
        assertThat(cli.in(directory).run("exec", "p")).isEqualTo(130);
        assertThat(asked(CancelRequest.class).getTurn()).isEqualTo(1);
        assertThat(cli.left.get()).isZero();
    }

    @Test
    void theSecondCtrlCLeavesAtOnce() {
        var first = new java.util.concurrent.atomic.AtomicInteger();
        cli.interrupts.onFirst(first::incrementAndGet);
        cli.interrupts.fire();
        cli.interrupts.fire();
        assertThat(first.get()).isEqualTo(1);
        assertThat(cli.left.get()).isEqualTo(1);
        cli.interrupts.clear();
        cli.interrupts.fire();
        assertThat(cli.left.get()).isEqualTo(2);
    }

    @Test
    void aConversationKeepsItsSessionUntilTheInputEnds() {
        assertThat(cli.types("one\n\ntwo\n").in(directory).run()).isZero();

        assertThat(served.host.ids()).hasSize(1);
        assertThat(asked(StartRequest.class).getPrompt()).isEqualTo("one");
        assertThat(asked(TurnRequest.class).getPrompt()).isEqualTo("two");
    }

    @Test
    void continueTakesTheLastSessionOfTheDirectoryThatIsNotStopped() {
        String first = opened();
        String second = opened();
        cli.run("rm", second);

        assertThat(cli.run("exec", "--continue", "more")).isZero();
        assertThat(asked(TurnRequest.class).getId()).isEqualTo(first);
    }

    @Test
    void sessionsAreListedShownLoggedAndUndone() {
        String id = opened();

        cli.run("ls");
        assertThat(cli.out()).contains(id + "  idle");
        cli.run("show", id);
        assertThat(cli.out()).contains("state      idle");
        cli.run("log", id);
        assertThat(cli.out()).contains("    1  config", "    2  turn");
        cli.run("log", id, "--json", "--after", "1");
        assertThat(cli.out()).contains("{\"seq\":2,\"kind\":\"turn\"");
        cli.run("diff", id);
        assertThat(cli.out()).contains("-a\n+b\n");
        assertThat(cli.run("undo", id, "--to", "3")).isZero();
        assertThat(cli.out()).contains("restored  a.txt");
        assertThat(asked(UndoRequest.class).getTo()).isEqualTo(3);
        cli.run("cancel", id);
        assertThat(cli.run("rm", id)).isZero();
        assertThat(cli.out()).endsWith("stopped\n");
    }

    @Test
    void approvalsAreListedAndResolvedOnce() {
        String id = opened();
        ask(id);

        cli.run("approvals");
        assertThat(cli.out()).contains("apr_1  " + id + "  exec: git push");
        assertThat(cli.run("deny", "apr_1", "--note", "no")).isZero();
        assertThat(asked(ResolveRequest.class).getNote()).isEqualTo("no");
        assertThat(cli.run("approve", "apr_1")).isEqualTo(1);
        assertThat(cli.err()).contains("[already_resolved]");
    }

    @Test
    void theDemoExitsWithZeroOnlyIfTheTestsPassAfterwards() {
        for (int exit : List.of(0, 1)) {
            served.host.onTurn =
                    id -> {
                        int turn = served.host.turn(id);
                        served.host.append(id, Entries.exec(turn, turn, List.of("sh", "test.sh")));
                        served.host.append(id, Entries.result(turn, turn == 1 ? 1 : exit, ""));
                        served.host.complete(id, "ok");
                    };
            assertThat(cli.in(directory).run("demo")).isEqualTo(exit);
        }
        StartRequest request = asked(StartRequest.class);
        assertThat(request.getScript()).contains("*** Begin Patch");
        assertThat(Path.of(request.getWorkspace().getPath())).isDirectory();
        assertThat(cli.out()).contains("    3  action exec #1", "--- a/a.txt");
    }

    @Test
    void aBrokenScriptForTheMockModelIsASentence() throws IOException {
        Files.writeString(directory.resolve("s"), "[");

        assertThat(cli.in(directory).run("mock-model", "s")).isEqualTo(1);
        assertThat(cli.err()).isEqualTo("hanzo: The script is broken at line 1.\n");
    }

    @Test
    void helpNamesTheCommandsAndExitCodes() {
        assertThat(cli.run("--help")).isZero();
        assertThat(cli.out())
                .contains("approvals", "undo", "130 cancelled")
                .doesNotContain("  run ");
    }
}
