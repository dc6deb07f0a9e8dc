package ai.hanzo.dev.host.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The token that several hosts are given. */
final class HostFileTest {
    private static final String TOKEN = "0123456789-abcdefghij_ABCDEFGHIJKL";

    @TempDir Path root;
    private Home home;

    @BeforeEach
    void ensure() {
        home = new Home(root.resolve("home"));
        home.ensure();
    }

    private Path file(String content, String mode) throws IOException {
        Path file = Files.writeString(root.resolve("token"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    @Test
    void aGivenTokenIsTheHostsOwn() throws IOException {
        assertThat(HostFile.givenToken(home, file(TOKEN + "\n", "rw-------"))).isEqualTo(TOKEN);
        assertThat(home.tokenFile()).hasContent(TOKEN);
        assertThat(Files.getPosixFilePermissions(home.tokenFile()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @ParameterizedTest
    @CsvSource({
        "rw-r-----, 0123456789-abcdefghij_ABCDEFGHIJKL, others may read it; chmod 600 it",
        "rw-------, short, it has to hold 32 to 200 letters",
        "rw-------, 0123456789 abcdefghij_ABCDEFGHIJKL, it has to hold 32 to 200 letters"
    })
    void aTokenThatProtectsNothingIsRefused(String mode, String content, String why)
            throws IOException {
        Path file = file(content, mode);
        assertThatThrownBy(() -> HostFile.givenToken(home, file))
                .isInstanceOf(LocalException.class)
                .hasMessageStartingWith("The token file " + file + " cannot be used: " + why);
        assertThat(home.tokenFile()).doesNotExist();
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        Path none = root.resolve("none");
        assertThatThrownBy(() -> HostFile.givenToken(home, none))
                .isInstanceOf(LocalException.class)
                .hasMessageContaining(none.toString())
                .hasMessageContaining("check its name");
    }
}
