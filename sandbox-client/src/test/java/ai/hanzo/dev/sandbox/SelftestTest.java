package ai.hanzo.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SelftestTest {

    @Test
    void whatTheCellPrintsIsRead() {
        assertThat(
                        Selftest.read(
                                """
                                level landlock+seccomp
                                landlock 7
                                +seccomp
                                +landlock-7
                                -user namespaces: Operation not permitted
                                Commands can be confined by Landlock and seccomp only.
                                """))
                .contains(
                        new Enforced(
                                Level.LANDLOCK,
                                7,
                                List.of("seccomp", "landlock-7"),
                                List.of("user namespaces: Operation not permitted")));
    }

    @Test
    void otherTextIsNoAnswer() {
        assertThat(Selftest.read("cell: no directory can be made under /tmp\n")).isEmpty();
        assertThat(Selftest.read("level high\nlandlock 7\n")).isEqualTo(Optional.empty());
    }

    @Test
    void thisMachineAnswersWithoutASupervisor() {
        Enforced found = Cells.selftest();
        assertThat(found.level()).isNotEqualTo(Level.NONE);
        assertThat(found.layers()).contains("seccomp", "landlock-" + found.landlockAbi());
    }
}
