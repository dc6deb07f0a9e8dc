package ai.hanzo.dev.host.surface.rest;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.op.FakeShells;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The routes of shells, before a shell by hand. */
@Timeout(60)
class ShellRoutesTest {
    private static final String ALL = "/v1/dev/ses_1/shell";
    private static final String ONE = ALL + "/" + FakeShells.ID;

    private final Served served = new Served();

    @AfterEach
    void stop() {
        served.close();
    }

    @Test
    void aShellIsOpenedTypedIntoResizedAndFollowedToItsEnd() throws Exception {
        HttpResponse<String> opened = served.post(ALL, "{\"columns\": 100, \"rows\": 40}");
        assertThat(opened.statusCode()).isEqualTo(201);
        assertThat(opened.body()).isEqualTo("{\"id\":\"" + FakeShells.ID + "\"}");
        assertThat(opened.headers().firstValue("Location")).hasValue(ONE);
        assertThat(served.post(ONE + "/size", "{\"columns\": 120, \"rows\": 50}").statusCode())
                .isEqualTo(200);
        HttpResponse<String> typed =
                served.post(ONE + "/input", "{\"offset\": \"0\", \"data\": \"aGkgeA==\"}");
        assertThat(typed.body()).isEqualTo("{\"accepted\":\"4\"}");
        HttpResponse<String> heard = served.get(ONE + "?after=1");
        assertThat(heard.statusCode()).isEqualTo(200);
        assertThat(heard.body())
                .isEqualTo(
                        """
                        : follows

                        event: output
                        id: 4
                        data: aSB4

                        event: exit
                        data: {"exit":7}

                        """);
        assertThat(served.shells.asked)
                .containsExactly(
                        "open ses_1 [] 100", "size 120 50", "input at 0", "follow after 1");
    }

    @Test
    void aStreamGoesOnAfterTheLastEventThatWasSeen() throws Exception {
        served.post(ONE + "/input", "{\"data\": \"aGkgeA==\"}");
        HttpResponse<String> heard =
                served.send(served.request(ONE + "?after=0").header("Last-Event-ID", "3"));
        assertThat(heard.body()).contains("id: 4\ndata: eA==\n");
    }

    @Test
    void whatCannotBeIsRefused() throws Exception {
        assertThat(served.post(ALL, "{\"colums\": 1}").body()).contains("unknown_field");
        assertThat(served.post(ALL, "{\"columns\": \"x\"}").statusCode()).isEqualTo(400);
        assertThat(served.get(ONE + "?after=x").body()).contains("invalid_argument");
        assertThat(served.get(ONE + "?since=1").body()).contains("invalid_argument");
        assertThat(served.get(ALL + "/shl_0").statusCode()).isEqualTo(404);
        assertThat(served.post(ALL + "/shl_0/input", "{}").statusCode()).isEqualTo(404);
        assertThat(served.get(ALL).statusCode()).isEqualTo(405);
    }

    @Test
    void itIsForTheOwnerWithHisToken() throws Exception {
        HttpRequest other =
                HttpRequest.newBuilder(served.uri(ALL))
                        .header("Authorization", "Bearer " + Served.OTHER_TOKEN)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{}"))
                        .build();
        assertThat(served.client().send(other, BodyHandlers.ofString()).body())
                .contains("local_only");
        HttpRequest none = HttpRequest.newBuilder(served.uri(ONE)).build();
        assertThat(served.client().send(none, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
    }

    @Test
    void anEndedShellIsToldToItsFollower() throws Exception {
        assertThat(served.send(served.request(ONE).DELETE()).statusCode()).isEqualTo(200);
        assertThat(served.get(ONE).body()).contains("event: exit");
    }
}
