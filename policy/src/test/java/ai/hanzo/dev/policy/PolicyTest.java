package ai.hanzo.dev.policy;

import static ai.hanzo.dev.policy.Inputs.FACTS;
import static ai.hanzo.dev.policy.Inputs.browse;
import static ai.hanzo.dev.policy.Inputs.decide;
import static ai.hanzo.dev.policy.Inputs.exec;
import static ai.hanzo.dev.policy.Inputs.write;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyTest {

    private static final Rules READ_ONLY = Rules.preset("read-only");
    private static final Rules WORKSPACE = Rules.preset("workspace");
    private static final Rules FULL = Rules.preset("full");
    private static final Op PATCH =
            new Op.Patch(Content.of(Bytes.copyOf("x".getBytes(StandardCharsets.UTF_8))));
    private static final Op PUSH = new Op.Git(List.of("push"), "");

    @Test
    void theWorkspacePresetReadsWritesAndRuns() {
        assertThat(decide(WORKSPACE, new Op.Read("a/b", 0, 0)))
                .isEqualTo(
                        new Decision(
                                Verdict.ALLOW,
                                "workspace/read",
                                "The rule workspace/read allows it.",
                                WORKSPACE.digest()));
        assertThat(decide(WORKSPACE, write("a/b")).rule()).isEqualTo("workspace/write");
        assertThat(decide(WORKSPACE, exec("make")).rule()).isEqualTo("workspace/exec");
        assertThat(decide(WORKSPACE, PATCH).verdict()).isEqualTo(Verdict.REQUIRE_EXPERT_APPROVAL);
        assertThat(decide(WORKSPACE, PATCH, FACTS.withPatchPaths(List.of("a", "b"))).rule())
                .isEqualTo("workspace/write");
        assertThat(decide(WORKSPACE, new Op.ListFiles("", 0, 0)).verdict())
                .isEqualTo(Verdict.ALLOW);
    }

    @Test
    void theWorkspacePresetAsksBeforeAnythingLeaves() {
        assertThat(decide(WORKSPACE, browse("", "https://x.test/")).verdict())
                .isEqualTo(Verdict.OBSERVE);
        assertThat(decide(WORKSPACE, browse("post", "https://x.test/")).verdict())
                .isEqualTo(Verdict.REQUIRE_CLIENT_APPROVAL);
        assertThat(decide(WORKSPACE, new Op.Send("#ops", "", "hi")).verdict())
                .isEqualTo(Verdict.REQUIRE_CLIENT_APPROVAL);
        Facts push = FACTS.withGit(new GitUse.Outward("push to origin"));
        assertThat(decide(WORKSPACE, PUSH, push).rule()).isEqualTo("workspace/git-outward");
        assertThat(decide(WORKSPACE, PUSH, FACTS.withGit(new GitUse.Local())).verdict())
                .isEqualTo(Verdict.ALLOW);
        assertThat(decide(WORKSPACE, PUSH, FACTS.withGit(new GitUse.Unclear("-c"))).verdict())
                .isEqualTo(Verdict.REQUIRE_EXPERT_APPROVAL);
        assertThat(decide(WORKSPACE, PUSH, FACTS).verdict())
                .as("a host that forgot to look")
                .isEqualTo(Verdict.REQUIRE_EXPERT_APPROVAL);
    }

    @Test
    void whatIsOutsideTheWorkspaceIsAsked() {
        for (String path :
                List.of("/etc/passwd", "..", "../x", "a/../../x", "/home/ada/projectile")) {
            assertThat(decide(WORKSPACE, write(path)).rule())
                    .as(path)
                    .isEqualTo("workspace/outside");
        }
        for (String path : List.of("/home/ada/project/x", "a/../b", "./x", "", "a//b")) {
            assertThat(decide(WORKSPACE, write(path)).rule()).as(path).isEqualTo("workspace/write");
        }
        Facts patch = FACTS.withPatchPaths(List.of("a", "../b"));
        assertThat(decide(WORKSPACE, PATCH, patch).rule()).isEqualTo("workspace/outside");
    }

    @Test
    void hooksAndConfigurationOfGitAreNotWritten() {
        for (String path :
                List.of(
                        ".git/hooks/post-commit",
                        ".git/config",
                        "./.git/./config",
                        "x/../.git/config",
                        "/home/ada/project/.git/config",
                        "sub/.git/hooks/x")) {
            assertThat(decide(WORKSPACE, write(path)).verdict()).as(path).isEqualTo(Verdict.BLOCK);
        }
        assertThat(decide(WORKSPACE, write("git/config")).verdict()).isEqualTo(Verdict.ALLOW);
    }

    @Test
    void theReadOnlyPresetReads() {
        assertThat(decide(READ_ONLY, new Op.Stat("x")).verdict()).isEqualTo(Verdict.ALLOW);
        assertThat(decide(READ_ONLY, write("x")).verdict()).isEqualTo(Verdict.BLOCK);
        assertThat(decide(READ_ONLY, PATCH).verdict()).isEqualTo(Verdict.BLOCK);
        assertThat(decide(READ_ONLY, exec("ls")).verdict()).isEqualTo(Verdict.BLOCK);
        assertThat(decide(READ_ONLY, exec("ls"), FACTS.readOnly()).verdict())
                .isEqualTo(Verdict.ALLOW);
        assertThat(decide(READ_ONLY, PUSH, FACTS.withGit(new GitUse.Inert())).verdict())
                .isEqualTo(Verdict.ALLOW);
        assertThat(decide(READ_ONLY, PUSH, FACTS.withGit(new GitUse.Local())).verdict())
                .isEqualTo(Verdict.BLOCK);
        assertThat(decide(READ_ONLY, new Op.Send("c", "", "x")).rule()).isEqualTo("core/no-rule");
        assertThat(decide(READ_ONLY, new Op.Read("/etc/passwd", 0, 0)).rule())
                .isEqualTo("core/no-rule");
    }

    @Test
    void theFullPresetAllowsAndMarks() {
        assertThat(decide(FULL, write("/etc/x")).verdict()).isEqualTo(Verdict.OBSERVE);
        assertThat(decide(FULL, exec("git", "push")).verdict()).isEqualTo(Verdict.ALLOW);
        assertThat(decide(FULL, PUSH, FACTS.withGit(new GitUse.Outward("x"))).verdict())
                .isEqualTo(Verdict.OBSERVE);
        assertThat(decide(FULL, browse("POST", "https://x.test")).verdict())
                .isEqualTo(Verdict.OBSERVE);
    }

    @Test
    void aReadOnlyWorkspaceIsNeverWritten() {
        for (Rules rules : List.of(WORKSPACE, FULL)) {
            assertThat(decide(rules, write("x"), FACTS.readOnly()).rule())
                    .isEqualTo("core/read-only");
            assertThat(decide(rules, PUSH, FACTS.readOnly().withGit(new GitUse.Local())).rule())
                    .isEqualTo("core/read-only");
            assertThat(decide(rules, exec("make"), FACTS.readOnly()).verdict())
                    .isEqualTo(Verdict.ALLOW);
        }
    }

    @Test
    void withoutAHandlerOrARuleItIsBlocked() {
        assertThat(decide(FULL, exec("ls"), FACTS.withoutHandler()).rule())
                .isEqualTo("core/no-handler");
        Rules none = Rules.parse("none", "rules: []");
        for (Op op : List.of(exec("ls"), write("x"), PATCH, PUSH, new Op.Ask("?", List.of(), ""))) {
            assertThat(decide(none, op).rule()).isEqualTo("core/no-rule");
        }
        assertThat(decide(none, new Op.Save()).verdict()).isEqualTo(Verdict.ALLOW);
    }

    @Test
    void aGrantLiftsAQuestionButNoBlock() {
        Op post = browse("POST", "https://x.test/a");
        Facts granted = FACTS.withGrants(List.of(new Grant("apr_1", post)));
        assertThat(decide(WORKSPACE, post, granted).rule()).isEqualTo("grant/apr_1");
        assertThat(decide(WORKSPACE, browse("POST", "https://x.test/b"), granted).verdict())
                .isEqualTo(Verdict.REQUIRE_CLIENT_APPROVAL);
        Op hook = write(".git/config");
        assertThat(
                        decide(WORKSPACE, hook, FACTS.withGrants(List.of(new Grant("a", hook))))
                                .verdict())
                .isEqualTo(Verdict.BLOCK);
        Op.Exec push = exec("git", "push");
        Op.Exec slower =
                new Op.Exec(push.argv(), push.cwd(), push.stdin(), push.env(), 5000, push.pty());
        assertThat(
                        decide(WORKSPACE, slower, FACTS.withGrants(List.of(new Grant("a", push))))
                                .rule())
                .isEqualTo("grant/a");
    }

    @Test
    void theFirstRuleThatSpeaksDecides() {
        Rules rules =
                Rules.parse(
                        "team",
                        """
                        extends: workspace
                        rules:
                          - {name: wrapper, op: exec, argv: ./mvnw **, verdict: allow}
                          - {name: no-rm, op: exec, argv: "rm -rf **", verdict: block}
                          - {name: secrets, op: [read, write], path: [secrets/**, "*.pem"], verdict: block}
                          - name: docs
                            op: browse
                            method: [get]
                            url: https://*.example.com/docs/**
                            verdict: allow
                          - {name: ops, op: send, channel: "#ops-*", verdict: allow}
                        """);
        assertThat(decide(rules, exec("./mvnw", "test")).rule()).isEqualTo("team/wrapper");
        assertThat(decide(rules, exec("rm", "-rf", "x")).rule()).isEqualTo("team/no-rm");
        assertThat(decide(rules, exec("rm", "x")).rule()).isEqualTo("workspace/exec");
        assertThat(decide(rules, new Op.Read("secrets/a/b", 0, 0)).rule())
                .isEqualTo("team/secrets");
        assertThat(decide(rules, new Op.Read("a.pem", 0, 0)).rule()).isEqualTo("team/secrets");
        assertThat(decide(rules, new Op.Read("x/a.pem", 0, 0)).rule()).isEqualTo("workspace/read");
        assertThat(decide(rules, new Op.Send("#ops-eu", "", "x")).rule()).isEqualTo("team/ops");
    }

    @Test
    void anAddressCannotPretendToBeElsewhere() {
        Rules rules =
                Rules.parse(
                        "web",
                        "rules:\n  - {op: browse, url: https://*.example.com/docs/**, verdict: allow}");
        for (String url :
                List.of(
                        "https://a.example.com/docs/x",
                        "https://A.EXAMPLE.com:443/docs/x?q=1#y",
                        "https://a.example.com/docs/y/../x")) {
            assertThat(decide(rules, browse("", url)).verdict()).as(url).isEqualTo(Verdict.ALLOW);
        }
        for (String url :
                List.of(
                        "http://a.example.com/docs/x",
                        "https://a.example.com:8443/docs/x",
                        "https://a.example.com@evil.test/docs/x",
                        "https://evil.test/a.example.com/docs/x",
                        "https://evil.test#.example.com/docs/x",
                        "https://a.b.example.com/docs/x",
                        "https://a.example.com/docs/../secret",
                        "https://a.example.com/docs/%2e%2e/secret",
                        "https://a.example.com/docs/..%2fsecret",
                        "https://a.example.com/docs\\..\\x",
                        "file:///docs/x",
                        "//a.example.com/docs/x",
                        "not a url")) {
            assertThat(decide(rules, browse("", url)).verdict()).as(url).isEqualTo(Verdict.BLOCK);
        }
    }

    @Test
    void explainNamesEachCommandAndTheRulesTried() {
        Explanation e =
                Policy.explain(
                        new PolicyInput(
                                WORKSPACE,
                                new ai.hanzo.dev.protocol.Action(
                                        new ai.hanzo.dev.protocol.id.ActionId(7),
                                        exec("sh", "-c", "make && git push")),
                                FACTS));
        assertThat(e.decision().verdict()).isEqualTo(Verdict.REQUIRE_CLIENT_APPROVAL);
        assertThat(e.steps())
                .containsExactly(
                        new Explanation.Step(
                                "make",
                                Verdict.ALLOW,
                                "workspace/exec",
                                List.of("workspace/exec: allow")),
                        new Explanation.Step(
                                "git push",
                                Verdict.REQUIRE_CLIENT_APPROVAL,
                                "workspace/push",
                                List.of("workspace/push: require_client_approval")));
    }
}
