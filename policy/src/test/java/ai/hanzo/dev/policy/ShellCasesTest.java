package ai.hanzo.dev.policy;

import static ai.hanzo.dev.policy.Inputs.allowing;
import static ai.hanzo.dev.policy.Inputs.denying;
import static ai.hanzo.dev.policy.Inputs.exec;
import static ai.hanzo.dev.policy.Inputs.sh;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The field cases A1, A2, A5 and A6 and their kin. */
class ShellCasesTest {

    private static final Rules LS = allowing("ls", "ls **");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ls && rm f",
                "ls|tee f",
                "ls>f",
                "ls >> f",
                "ls >| f",
                "ls &> f",
                "ls 2>f",
                "ls >&f",
                "ls <> f",
                "ls $(rm f)",
                "ls `rm f`",
                "ls \"$(rm f)\"",
                "ls ${x:-$(rm f)}",
                "ls $((1 + $(rm f)))",
                "ls;rm f",
                "ls\nrm f",
                "ls&rm f",
                "ls <(rm f)",
                "ls >(rm f)",
                "ls || rm f",
                "ls |& rm f",
                "(ls; rm f)",
                "{ ls; rm f; }",
                "! rm f",
                "if ls; then rm f; fi",
                "while ls; do rm f; done",
                "until rm f; do ls; done",
                "for x in $(rm f); do ls; done",
                "for x in a; do ls; rm f; done",
                "case x in x) rm f;; esac",
                "case $(rm f) in x) ls;; esac",
                "x=$(rm f) ls",
                "x=`rm f`",
                "f() { rm f; }; ls",
                "ls <<E\n$(rm f)\nE",
                "ls <<-E\n\t`rm f`\n\tE\n",
                "ls <<E\nE\nrm f",
                "ls <<'E'\n$(x)\nE\nrm f",
                "ls <<< $(rm f)",
                "ls \\\n; rm f",
                "ls # comment\nrm f",
                "ls; eval 'rm f'",
                "ls; eval rm f",
                "trap 'rm f' EXIT; ls",
                "alias ls=rm; ls f",
                "PATH=. ls",
                "export PATH=.; ls",
                "LD_PRELOAD=./x.so ls",
                "ls(){ rm f; }; ls",
                "$x",
                "l$x",
                "l? f",
                "{ls,-l}",
                "./ls",
                "../bin/ls",
                "ls\r",
                "ls 'x",
                "ls $(",
                "ls )",
                "((ls)); ((rm f))",
                "$((rm f))",
                "ls | xargs rm",
                "find . -delete",
                "bash -c 'ls; rm f'",
                "sh <<E\nrm f\nE",
                "sh script.sh",
                ". ./script.sh",
            })
    void a1AllowingLsLetsNothingElseThrough(String script) {
        assertThat(sh(LS, script)).isNotIn(Verdict.ALLOW, Verdict.OBSERVE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ls",
                "ls -l",
                "/bin/ls -l",
                "l's' -l",
                "ls && ls -l",
                "ls -l | ls",
                "ls 2>/dev/null",
                "ls 2>&1",
                "ls > /dev/null 2>&1",
                "ls $(ls)",
                "x=1 ls",
                "for f in *.c; do ls \"$f\"; done",
                "ls $HOME # all\n",
                "if ls; then ls; else ls; fi",
                "ls '$(rm f)' '; rm f' \"a;b\" \\;",
                "",
            })
    void a1WhatIsOnlyLsRuns(String script) {
        assertThat(sh(allowing("ls", "ls **", ":"), script)).isEqualTo(Verdict.ALLOW);
    }

    private static final Rules WRAPPERS =
            allowing(
                    "env **",
                    "nice **",
                    "timeout **",
                    "xargs **",
                    "find **",
                    "nohup **",
                    "stdbuf **",
                    "setsid **",
                    "time **",
                    "command **",
                    "exec **",
                    "sudo **",
                    "busybox **",
                    "flock **",
                    "strace **",
                    "watch **",
                    "script **",
                    "ls **");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "env sh -c 'touch x'",
                "env -i A=1 sh -c 'touch x'",
                "env -S 'touch x'",
                "env -u HOME -C / touch x",
                "nice sh -c 'touch x'",
                "nice -n 5 touch x",
                "nice -5 touch x",
                "timeout 5 sh -c 'touch x'",
                "timeout -s KILL 5 touch x",
                "timeout --signal=KILL 5 touch x",
                "echo | xargs sh -c 'touch x'",
                "xargs -n 1 touch",
                "xargs -I{} sh -c {}",
                "xargs -I% %",
                "find . -exec sh -c 'touch x' \\;",
                "find . -exec touch {} +",
                "find . -ok touch x ';'",
                "find . -execdir {} \\;",
                "find . -fprintf x y",
                "find $x",
                "nohup touch x &",
                "stdbuf -oL touch x",
                "setsid -w touch x",
                "time touch x",
                "time -p touch x",
                "command touch x",
                "exec touch x",
                "exec -a ls touch x",
                "sudo -u root touch x",
                "sudo --unknown 3 touch x",
                "busybox touch x",
                "flock /tmp/l touch x",
                "flock /tmp/l -c 'touch x'",
                "strace -f -o /tmp/t touch x",
                "watch -n 1 'touch x'",
                "script -qc 'touch x' /dev/null",
                "env nice timeout 1 xargs sh -c 'touch x'",
                "env bash -lc 'touch x'",
                "env bash -o pipefail -c 'touch x'",
                "env $x",
                "env \"$x\" ls",
                "timeout $t ls",
                "env PATH=. ls",
            })
    void a2AWrapperIsJudgedByWhatItRuns(String script) {
        assertThat(sh(WRAPPERS, script)).isNotIn(Verdict.ALLOW, Verdict.OBSERVE);
    }

    @Test
    void a2TheSameHoldsWithoutAShell() {
        for (List<String> argv :
                List.of(
                        List.of("env", "sh", "-c", "touch x"),
                        List.of("nice", "touch", "x"),
                        List.of("find", ".", "-exec", "touch", "x", ";"),
                        List.of("xargs", "touch"))) {
            assertThat(Inputs.decide(WRAPPERS, exec(argv.toArray(String[]::new))).verdict())
                    .as("%s", argv)
                    .isEqualTo(Verdict.BLOCK);
        }
        assertThat(Inputs.decide(WRAPPERS, exec("env", "ls", "-l")).verdict())
                .isEqualTo(Verdict.ALLOW);
    }

    private static final Rules NO_SUDO = denying("sudo **");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sudo id",
                "/usr/bin/sudo id",
                "/usr/bin/../bin/sudo id",
                "//usr//bin/sudo id",
                "su''do id",
                "su\"do\" id",
                "'sudo' id",
                "\\sudo id",
                "s\\udo id",
                "su\\\ndo id",
                "$'sudo' id",
                "$'\\x73udo' id",
                "./sudo id",
                "/tmp/sudo id",
                "env sudo id",
                "true && sudo id",
                "echo $(sudo id)",
                "eval 'sudo id'",
                "eval sudo id",
                "sh -c \"sh -c 'sudo id'\"",
                "bash <<< 'sudo id'",
                "sh <<E\nsudo id\nE",
                "time sudo id",
                "! sudo id",
                "find . -exec sudo id \\;",
            })
    void a5ADeniedCommandIsDeniedHoweverItIsWritten(String script) {
        assertThat(sh(NO_SUDO, script)).isEqualTo(Verdict.BLOCK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "./s id",
                "bin/s id",
                "~/s id",
                "ln -s /usr/bin/sudo s; ./s id",
                "$x id",
                "su?o id",
                "/usr/bin/su[d]o id",
                "{sudo,id}",
                "eval \"$x\"",
                "PATH=. s id",
                "alias s=sudo; s id",
                "sh s.sh",
                ". s.sh",
                "echo sudo | sh",
                "echo sudo id | xargs -I{} {}",
                "echo 'id' | xargs -I% env %",
                "sudo=1; \"$y\"",
                "ls 'unclosed",
            })
    void a5WhatMightBeTheDeniedCommandIsAsked(String script) {
        assertThat(sh(NO_SUDO, script))
                .isIn(Verdict.REQUIRE_EXPERT_APPROVAL, Verdict.REQUIRE_CLIENT_APPROVAL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"id", "echo sudo", "ls sudo", "grep -r 'sudo id' .", "man sudo", "x=sudo"})
    void a5TheWordAloneIsNoCommand(String script) {
        assertThat(sh(NO_SUDO, script)).isEqualTo(Verdict.ALLOW);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo $(date)",
                "for f in *.c; do wc -l $f; done",
                "$JAVA_HOME/bin/java -version",
                "eval \"$(opam env)\"",
                "./gradlew test && ./run.sh",
                ". venv/bin/activate; pip list",
                "make CC=$CC > build.log 2>&1",
                "cat <<'E' > f\n$x `y`\nE\n",
                "sudo id",
            })
    void a6NormalWorkRunsWithoutAQuestion(String script) {
        assertThat(sh(Rules.preset("workspace"), script)).isEqualTo(Verdict.ALLOW);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git push",
                "git push origin main",
                "git -C sub --no-pager push --force",
                "git -c a=b push",
                "true; env git push",
                "/usr/bin/git push",
            })
    void aPushByExecIsAskedInTheWorkspacePreset(String script) {
        assertThat(sh(Rules.preset("workspace"), script))
                .isEqualTo(Verdict.REQUIRE_CLIENT_APPROVAL);
    }

    @Test
    void variablesOfTheActionCountToo() {
        Op.Exec exec =
                new Op.Exec(
                        List.of("ls"),
                        "",
                        Content.NONE,
                        List.of(new Op.Variable("LD_PRELOAD", "./x.so")),
                        0,
                        false);
        assertThat(Inputs.decide(LS, exec).verdict()).isEqualTo(Verdict.BLOCK);
        assertThat(Inputs.decide(NO_SUDO, exec).verdict())
                .isEqualTo(Verdict.REQUIRE_EXPERT_APPROVAL);
    }

    @Test
    void anAliasOfGitIsNotTakenForItsName() {
        Rules noPush = denying("git push **");
        assertThat(sh(noPush, "git p")).isEqualTo(Verdict.REQUIRE_EXPERT_APPROVAL);
        assertThat(sh(noPush, "git -c alias.x=push x")).isEqualTo(Verdict.REQUIRE_EXPERT_APPROVAL);
        assertThat(sh(noPush, "git status")).isEqualTo(Verdict.ALLOW);
        assertThat(sh(noPush, "git $x")).isEqualTo(Verdict.REQUIRE_EXPERT_APPROVAL);
    }

    @Test
    void shellsThatReadALineDifferentlyCannotHideACommand() {
        // bash takes this for one quoted word; dash runs rm
        assertThat(sh(allowing("echo **"), "echo $'\\'; rm f #'")).isEqualTo(Verdict.BLOCK);
        // dash runs both of these, bash none
        assertThat(sh(allowing("?? **", "a"), "[[ a && rmdir f ]]")).isEqualTo(Verdict.BLOCK);
        assertThat(sh(allowing("ls"), "((rm f))")).isEqualTo(Verdict.BLOCK);
        // bash evaluates an index in a variable's value
        assertThat(sh(allowing("echo **"), "x='a[$(rm f)]'; echo $((x))")).isEqualTo(Verdict.BLOCK);
    }

    @Test
    void anUntidyLineIsNeverSmallerThanItIs() {
        String deep = "$(".repeat(500) + "ls" + ")".repeat(500);
        assertThat(sh(LS, deep)).isEqualTo(Verdict.BLOCK);
        assertThat(sh(LS, "ls;".repeat(10_000))).isEqualTo(Verdict.BLOCK);
        assertThat(sh(LS, "ls " + "x".repeat(300_000))).isEqualTo(Verdict.BLOCK);
        assertThat(sh(LS, "ls \0; rm f")).isEqualTo(Verdict.BLOCK);
        assertThat(sh(LS, "((".repeat(2000) + "))".repeat(2000))).isEqualTo(Verdict.BLOCK);
        assertThat(sh(LS, "`".repeat(2001))).isEqualTo(Verdict.BLOCK);
    }
}
