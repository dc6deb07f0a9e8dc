package ai.hanzo.dev.host.model;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Event.Family;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.Outcome.Status;
import ai.hanzo.dev.protocol.id.ActionId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ResultTextTest {

    @Test
    void aCommandShowsItsExitCodeAndBothStreams() {
        assertThat(text(Family.EXEC, command(1, "one\n", "two")))
                .isEqualTo("exit 1\none\n--- stderr\ntwo");
    }

    @Test
    void aFileIsShownAsItIs() {
        assertThat(text(Family.FILE, Outcome.ok(Bytes.utf8("line\n\n")))).isEqualTo("line\n\n");
    }

    @Test
    void nothingToShowIsStillAText() {
        assertThat(text(Family.FILE, Outcome.ok(Bytes.empty()))).isEqualTo("ok, nothing to show");
        assertThat(text(Family.BROWSE, Outcome.ok(Bytes.utf8(" \n")))).isEqualTo("ok");
    }

    @Test
    void everyStatusButOkIsNamed() {
        assertThat(text(Family.EXEC, Outcome.of(Status.DENIED, "network is off")))
                .isEqualTo("denied: network is off\n");
        assertThat(text(Family.EXEC, Outcome.of(Status.IN_DOUBT, "the cell died")))
                .startsWith("in doubt")
                .endsWith("the cell died\n");
        assertThat(text(Family.FILE, Outcome.of(Status.FAILED, "no such file")))
                .isEqualTo("failed: no such file\n");
        assertThat(text(Family.FILE, Outcome.of(Status.CANCELLED, ""))).isEqualTo("cancelled\n");
    }

    /** Field case O3. */
    @Test
    void theEndOfALongLogIsShownWithTheNumberOfBytesLeftOut() {
        String head = "a".repeat(24 * 1024);
        String tail = "b".repeat(24 * 1024 - 14) + "FAILED test_x\n";
        Outcome outcome =
                new Outcome(
                        Status.OK,
                        Optional.of(1),
                        Bytes.utf8(head + tail),
                        Bytes.empty(),
                        1_048_576,
                        0,
                        true,
                        List.of(),
                        "");
        assertThat(text(Family.EXEC, outcome))
                .isEqualTo("exit 1\n" + head + "\n[999424 bytes left out]\n" + tail);
    }

    @Test
    void whatAReadLacksIsAtItsEnd() {
        Outcome outcome =
                new Outcome(
                        Status.OK,
                        Optional.empty(),
                        Bytes.utf8("begin"),
                        Bytes.empty(),
                        105,
                        0,
                        true,
                        List.of(),
                        "");
        assertThat(text(Family.FILE, outcome)).isEqualTo("begin\n[100 bytes left out]\n");
    }

    @Test
    void bytesThatAreNotUtf8ShowAsHexadecimal() {
        byte[] bytes = {'a', (byte) 0xff, (byte) 0xe4, (byte) 0xbd, 'b', 0, 'c'};
        assertThat(text(Family.FILE, Outcome.ok(Bytes.wrap(bytes))))
                .isEqualTo("a\\xff\\xe4\\xbdb\\x00c");
    }

    private static Outcome command(int exit, String stdout, String stderr) {
        Bytes out = Bytes.utf8(stdout);
        Bytes err = Bytes.utf8(stderr);
        return new Outcome(
                Status.OK,
                Optional.of(exit),
                out,
                err,
                out.length(),
                err.length(),
                false,
                List.of(),
                "");
    }

    private static String text(Family family, Outcome outcome) {
        return ResultText.of(new Event.Result(family, new ActionId(1), outcome));
    }
}
