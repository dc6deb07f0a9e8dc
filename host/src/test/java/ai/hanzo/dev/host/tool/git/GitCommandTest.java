package ai.hanzo.dev.host.tool.git;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.tool.git.GitVerdict.Change;
import ai.hanzo.dev.host.tool.git.GitVerdict.Exec;
import ai.hanzo.dev.host.tool.git.GitVerdict.Look;
import ai.hanzo.dev.host.tool.git.GitVerdict.Outward;
import ai.hanzo.dev.host.tool.git.GitVerdict.Refused;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** E24, E25 and invariant 79: which git is harmless, and which is an exec or leaves the machine. */
class GitCommandTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status --porcelain",
                "log -C --oneline",
                "log -p -- a/../b",
                "--no-pager diff HEAD~1",
                "-c color.ui=always -c core.quotePath=false show HEAD",
                "-C sub status",
                "-C sub/.. status",
                "branch",
                "branch -a -v",
                "tag -l",
                "stash list",
                "remote -v",
                "config --get user.name",
                "rev-parse HEAD",
                "grep -n needle",
                "--version"
            })
    void looks(String line) {
        assertThat(judge(line)).isEqualTo(new Look());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "add -A",
                "commit -am message",
                "commit --amend",
                "-c user.name=me commit -m x",
                "checkout -b topic",
                "branch topic",
                "branch -D topic",
                "tag v1",
                "stash",
                "rebase main",
                "rebase -i main",
                "gc",
                "reset --hard HEAD~1",
                "diff --output=f",
                "apply p.diff",
                "bisect start",
                "clone /srv/repo copy",
                "clone -b main ./repo copy",
                "clone file:///srv/repo",
                "fetch ../other main",
                "worktree add sub/tree",
                "init sub"
            })
    void changes(String line) {
        assertThat(judge(line)).isEqualTo(new Change());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-c alias.x=!sh x",
                "-c core.sshCommand=evil fetch",
                "-c CORE.FSMONITOR=evil status",
                "-c core.pager=evil log",
                "-c core.hooksPath=hooks commit -m x",
                "-c diff.external=evil diff",
                "-c filter.f.clean=evil add .",
                "-c protocol.ext.allow=always status",
                "-c include.path=f status",
                "--config-env=core.pager=X log",
                "--exec-path=sub status",
                "--git-dir=sub/x status",
                "--git-dir sub/x status",
                "--work-tree=sub status",
                "--bare status",
                "frobnicate",
                "difftool",
                "filter-branch --tree-filter evil",
                "clone ext::sh% -c% evil x",
                "fetch ext::evil",
                "clone -u evil /srv/repo",
                "clone --upload-pack=evil /srv/repo",
                "clone --upload /srv/repo",
                "clone -c core.fsmonitor=evil /srv/repo",
                "clone --template=t /srv/repo",
                "rebase -x evil main",
                "rebase -ix evil main",
                "rebase --exec=evil main",
                "rebase --exec evil main",
                "rebase --exe evil main",
                "bisect run evil",
                "submodule foreach evil",
                "grep -Oevil x",
                "log --ext-diff",
                "log --textconv",
                "commit -S -m x",
                "push --exec=evil origin",
                "config core.pager evil",
                "config --file=f --get x",
                "remote add origin /x",
                "remote set-url origin /x",
                "credential fill",
                "daemon"
            })
    void isAsStrongAsAnExec(String line) {
        assertThat(judge(line)).isInstanceOf(Exec.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "push",
                "push origin main",
                "push /srv/repo main",
                "fetch",
                "fetch origin",
                "pull",
                "clone https://host.test/x",
                "clone git@host.test:x",
                "clone host.test:x",
                "clone --recurse-submodules /srv/repo",
                "fetch ssh://host.test/x",
                "ls-remote",
                "remote update",
                "remote show origin",
                "submodule update --init",
                "send-email p"
            })
    void goesOutward(String line) {
        assertThat(judge(line)).isInstanceOf(Outward.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-C .. status",
                "-C sub/../.. status",
                "-C / status",
                "--git-dir=../.git status",
                "--git-dir /x/.git status",
                "--work-tree=.. status",
                "--unknown -C .. status",
                "-Cfoo status",
                "-C",
                "-c",
                "--no-pager"
            })
    void isNeverRun(String line) {
        assertThat(judge(line)).isInstanceOf(Refused.class);
    }

    @Test
    void theDirectoryCounts() {
        assertThat(GitCommand.judge(List.of("-C", "..", "status"), "sub")).isEqualTo(new Look());
        assertThat(GitCommand.judge(List.of("-C", "../..", "status"), "sub"))
                .isInstanceOf(Refused.class);
        assertThat(GitCommand.judge(List.of("status"), "../x")).isInstanceOf(Refused.class);
    }

    @Test
    void nothingIsNoCommand() {
        assertThat(GitCommand.judge(List.of(), "")).isInstanceOf(Refused.class);
    }

    @Property
    void whateverFollowsADangerousOptionItStaysDangerous(@ForAll List<String> rest) {
        List<String> argv = new java.util.ArrayList<>(List.of("-c", "core.pager=evil", "log"));
        argv.addAll(rest);
        assertThat(GitCommand.judge(argv, "")).isInstanceOf(Exec.class);
    }

    @Property
    void everyCommandHasAVerdict(@ForAll List<String> argv) {
        assertThat(GitCommand.judge(argv, "")).isNotNull();
    }

    private static GitVerdict judge(String line) {
        return GitCommand.judge(List.of(line.split(" ", -1)), "");
    }
}
