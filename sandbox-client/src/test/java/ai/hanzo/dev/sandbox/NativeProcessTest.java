package ai.hanzo.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program is run from memory and inherits nothing. */
@Timeout(60)
class NativeProcessTest {

    @Test
    void itsOutputAndExitStatusComeBack() throws IOException {
        assertThat(shell("echo out; echo err >&2; exit 7"))
                .isEqualTo(new NativeProcess.Ended(7, "out\nerr"));
    }

    @Test
    void aSignalIsToldAsShellsTellIt() throws IOException {
        assertThat(shell("kill -9 $$")).isEqualTo(new NativeProcess.Ended(137, ""));
    }

    @Test
    void noVariableOfOursIsInherited() throws IOException {
        assertThat(shell("/usr/bin/env | /usr/bin/sort"))
                .isEqualTo(
                        new NativeProcess.Ended(
                                0, "ONLY=this\nPWD=" + Path.of("").toAbsolutePath()));
    }

    @Test
    void noDescriptorOfOursIsInherited() throws IOException {
        try (var _ = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var _ = new FileInputStream("/dev/zero")) {
            // 3 is the image, 4 the directory that `ls` opens. No pipe: it would be seen at times.
            assertThat(shell("exec /bin/ls /proc/self/fd"))
                    .isEqualTo(new NativeProcess.Ended(0, "0\n1\n2\n3\n4"));
        }
    }

    @Test
    void itLeadsASessionAndNoSignalIsBlockedOrIgnored() throws IOException {
        String script =
                """
                read -r pid rest </proc/self/stat
                set -- $rest
                [ "$5" = "$$" ] && echo leader
                while read -r name value; do
                    case $name in SigBlk:|SigIgn:) echo "$name $value";; esac
                done </proc/self/status
                """;
        // 32 and 33 are glibc's own; its posix_spawn may leave them ignored.
        assertThat(((NativeProcess.Ended) shell(script)).printed())
                .matches("leader\nSigBlk: 0{16}\nSigIgn: 0{7}[01][08]0{7}");
    }

    @Test
    void theImageCannotBeChangedFromInside() throws IOException {
        assertThat(shell("echo x >>/proc/self/fd/3; echo $?"))
                .isInstanceOfSatisfying(
                        NativeProcess.Ended.class,
                        ended -> assertThat(ended.printed()).doesNotEndWith("0"));
    }

    @Test
    void whatIsNoProgramIsSaid() {
        byte[] text = "no program".getBytes(StandardCharsets.UTF_8);
        assertThat(NativeProcess.run(text, List.of("x"), List.of()))
                .isInstanceOf(NativeProcess.NotRun.class);
    }

    private static NativeProcess.Ran shell(String line) throws IOException {
        byte[] image = Files.readAllBytes(Path.of("/bin/sh"));
        return NativeProcess.run(image, List.of("sh", "-c", line), List.of("ONLY=this"));
    }
}
