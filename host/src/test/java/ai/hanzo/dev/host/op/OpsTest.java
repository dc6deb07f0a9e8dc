package ai.hanzo.dev.host.op;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.op.v1.DevProto;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.Safety;
import ai.hanzo.dev.host.op.v1.Session;
import ai.hanzo.dev.host.op.v1.StartRequest;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OpsTest {
    private final Ops ops = Ops.load();

    @Test
    void everyMethodOfTheServiceIsAnOpAndEveryOpAMethod() {
        List<String> methods =
                Arrays.stream(DevService.class.getDeclaredMethods())
                        .map(java.lang.reflect.Method::getName)
                        .toList();
        List<String> names = ops.all().stream().map(op -> op.options().getName()).toList();

        assertThat(names).containsExactlyInAnyOrderElementsOf(methods);
    }

    @Test
    void everyOpOfTheFileSaysWhatASurfaceMustKnow() {
        assertThat(DevProto.getDescriptor().findServiceByName("Dev").getMethods())
                .hasSize(ops.all().size() + 1)
                .allSatisfy(method -> {
                    var options = method.getOptions().getExtension(DevProto.op);
                    assertThat(options.getName()).isNotEmpty();
                    assertThat(options.getPath()).startsWith("/v1/");
                    assertThat(options.getDescription()).endsWith(".");
                    assertThat(options.getStatus()).isBetween(200, 299);
                    assertThat(options.getSafety()).isNotEqualTo(Safety.safety_unspecified);
                });
    }

    @Test
    void opsThatAreKeyedTakeAnIdempotencyKey() {
        assertThat(ops.all())
                .filteredOn(op -> op.options().getSafety() == Safety.keyed)
                .isNotEmpty()
                .allSatisfy(op -> assertThat(op.idempotencyField()).isPresent());
    }

    @Test
    void theDigestOfARequestLeavesOutItsKeyAndSecrets() {
        StartRequest request = StartRequest.newBuilder().setPrompt("p").build();

        assertThat(
                        RequestDigest.of(
                                request.toBuilder()
                                        .setIdempotencyKey("k")
                                        .putEnv("OPENAI_API_KEY", "secret")
                                        .build()))
                .isEqualTo(RequestDigest.of(request))
                .isNotEqualTo(RequestDigest.of(request.toBuilder().setPrompt("q").build()))
                .hasSize(64);
    }

    @Test
    void theJsonShowsNumbersAsNumbersAndLeavesOutOnlyWhatMayBeAbsent() {
        assertThat(OpJson.print(Entries.result(4, 0, "ok\n").setSeq(5).build()))
                .isEqualTo(
                        "{\"seq\":5,\"kind\":\"result\",\"action\":4,\"op\":\"exec\",\"summary\":\"exit"
                                + " 0\",\"result\":{\"status\":\"ok\",\"exit\":0,\"stdout\":\"ok\\n"
                                + "\",\"stderr\":\"\",\"stdoutSize\":\"3\",\"stderrSize\":\"0\","
                                + "\"truncated\":false,\"artifacts\":[]}}");
    }

    @Test
    void theStatesOfASessionAreTheOnesOfTheDesign() {
        assertThat(Session.State.values())
                .extracting(Enum::name)
                .contains(
                        "idle",
                        "running",
                        "waiting_approval",
                        "waiting_input",
                        "waiting_quota",
                        "suspended",
                        "stopped",
                        "failed");
        assertThat(JournalEntry.getDescriptor().findFieldByName("seq").getJsonName())
                .isEqualTo("seq");
    }
}
