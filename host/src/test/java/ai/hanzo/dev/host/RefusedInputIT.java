package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that cannot be: a problem of the caller's, and nothing is begun. */
class RefusedInputIT {
    @TempDir static Path root;
    private static TestHost host;

    @BeforeAll
    static void start() {
        host = new TestHost(root.resolve("home"));
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"limits\": {\"commandSeconds\": -1}",
                "\"limits\": {\"commandSeconds\": 3601}",
                "\"limits\": {\"turnSeconds\": -1}",
                "\"limits\": {\"stepsPerTurn\": -1}",
                "\"limits\": {\"contextTokens\": -1}",
                "\"limits\": {\"turnTokens\": -1}",
                "\"prompt\": \"a\\u0000b\"",
                "\"model\": \"script:a\\u0000b\"",
                "\"surroundings\": {\"home\": \"/a\\u0000b\"}",
                "\"idempotencyKey\": \"a\\u0000b\"",
                "\"policy\": {\"rules\": \"a\\u0000b\"}",
            })
    void aValueThatCannotBeIsRefused(String field) {
        Path project = Projects.make(root);
        String prompt = field.startsWith("\"prompt\"") ? "" : "\"prompt\": \"Go.\", ";
        String model = field.startsWith("\"model\"") ? "" : "\"model\": \"script:x\", ";
        String body =
                "{%s%s\"script\": %s, \"workspace\": {\"path\": \"%s\"}, %s}"
                        .formatted(
                                prompt,
                                model,
                                Lines.quoted(new Scripts().say("Hello.").text()),
                                project,
                                field);
        var response = host.send("POST", "/v1/dev", body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        assertThat(Lines.json(response.body()).path("code").asText()).isEqualTo("invalid_argument");
        assertThat(host.store().journal().newestAt(TestHost.ORG, project.toString())).isEmpty();
    }

    @Test
    void aPathWithNulIsRefusedInAQueryToo() {
        var response = host.send("GET", "/v1/dev?path=%00", "");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    }
}
