package ai.hanzo.dev.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.workspace.Admission.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspacesTest {

    @TempDir Path base;

    private static Reason reason(Workspaces rules, Path path, Path... overrides) {
        Admission admission = rules.admit(path, Set.of(overrides));
        if (admission instanceof Admission.Refused r) {
            assertThat(r.sentence()).endsWith(".").contains(" ");
            return r.reason();
        }
        throw new AssertionError(path + " was admitted");
    }

    @Test
    void aProjectIsAdmittedAtItsRealPath() throws IOException {
        Path home = Files.createDirectories(base.resolve("home/ada"));
        Path project = Files.createDirectories(home.resolve("code/project")).toRealPath();
        Path link = Files.createSymbolicLink(base.resolve("link"), project);
        Workspaces rules = new Workspaces(home.resolve(".hanzo"), Set.of(home));
        assertThat(rules.admit(link, Set.of()))
                .isEqualTo(
                        new Admission.Admitted(
                                new Workspace(
                                        project,
                                        number(project, "unix:dev"),
                                        number(project, "unix:ino"),
                                        (int) number(project, "unix:uid"),
                                        (int) number(project, "unix:gid"))));
    }

    private static long number(Path path, String attribute) throws IOException {
        return ((Number) Files.getAttribute(path, attribute)).longValue();
    }

    @Test
    void rootsHomesAndSystemDirectoriesAreRefused() throws IOException {
        Path home = Files.createDirectories(base.resolve("home/ada"));
        Workspaces rules = new Workspaces(base.resolve("state"), Set.of(home));
        assertThat(reason(rules, Path.of("/"))).isEqualTo(Reason.FILESYSTEM_ROOT);
        assertThat(reason(rules, home)).isEqualTo(Reason.HOME_DIRECTORY);
        for (String system : List.of("/etc", "/usr", "/proc/self", "/dev", "/tmp", "/home")) {
            assertThat(reason(rules, Path.of(system)))
                    .as(system)
                    .isEqualTo(Reason.SYSTEM_DIRECTORY);
        }
        assertThat(reason(rules, base.resolve("nothing"))).isEqualTo(Reason.MISSING);
        Path file = Files.createFile(base.resolve("file"));
        assertThat(reason(rules, file)).isEqualTo(Reason.NOT_A_DIRECTORY);
    }

    @Test
    void anOverrideNamesThePathAndNeverCoversTheState() throws IOException {
        Path home = Files.createDirectories(base.resolve("home/ada"));
        Path state = home.resolve(".hanzo");
        Files.createDirectories(state.resolve("blobs"));
        Path other = Files.createDirectories(base.resolve("home/bob"));
        Workspaces rules = new Workspaces(state, Set.of(home, other));
        assertThat(rules.admit(other, Set.of(other))).isInstanceOf(Admission.Admitted.class);
        assertThat(reason(rules, other, home)).isEqualTo(Reason.HOME_DIRECTORY);
        assertThat(reason(rules, home, home)).isEqualTo(Reason.HOME_DIRECTORY);
        assertThat(reason(rules, base.resolve("home"), base.resolve("home")))
                .isEqualTo(Reason.STATE_DIRECTORY);
        assertThat(reason(rules, state, state)).isEqualTo(Reason.STATE_DIRECTORY);
        assertThat(reason(rules, state.resolve("blobs"), state.resolve("blobs")))
                .isEqualTo(Reason.STATE_DIRECTORY);
        Path link = Files.createSymbolicLink(base.resolve("link"), state);
        assertThat(reason(rules, link, link)).isEqualTo(Reason.STATE_DIRECTORY);
        assertThat(reason(rules, Path.of("/"), Path.of("/"))).isEqualTo(Reason.FILESYSTEM_ROOT);
    }

    @Test
    void homesComeFromThePeopleInPasswd() {
        List<String> passwd =
                List.of(
                        "root:x:0:0:root:/root:/bin/bash",
                        "ada:x:1000:1000::/home/ada:/bin/zsh",
                        "www:x:33:33::/var/www:/usr/sbin/nologin",
                        "broken line");
        assertThat(Workspaces.homesOf(passwd, Path.of("/data/me")))
                .containsExactlyInAnyOrder(
                        Path.of("/root"), Path.of("/home/ada"), Path.of("/data/me"));
    }

    @Test
    void aNameKeepsItsBytes() throws IOException {
        Path plain = Files.createDirectories(base.resolve("a b%41#?;")).toRealPath();
        assertThat(new String(Workspaces.rawBytes(plain), StandardCharsets.UTF_8))
                .isEqualTo(plain.toString());
    }
}
