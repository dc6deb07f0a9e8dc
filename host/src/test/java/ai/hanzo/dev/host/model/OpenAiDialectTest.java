package ai.hanzo.dev.host.model;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.model.SseReader.SseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What servers send that the reader behind would misread. */
final class OpenAiDialectTest {
    private final ObjectMapper json = new ObjectMapper();
    private final OpenAiDialect dialect =
            new OpenAiDialect(
                    json,
                    new Faults(
                            json,
                            InstantSource.system(),
                            new Faults.Who("openai:x", "host:1", "OPENAI_API_KEY", "k")));

    @Test
    void severalCallsInOneChunkBecomeOneChunkEach() throws Exception {
        List<JsonNode> calls =
                calls(
                        """
                        [{"index":0,"id":"a","function":{"name":"read","arguments":"{}"}},
                         {"index":1,"id":"b","function":{"name":"list","arguments":"{}"}}]\
                        """);
        assertThat(calls).extracting(call -> call.path("index").asInt()).containsExactly(0, 1);
        assertThat(calls)
                .extracting(call -> call.path("function").path("name").asText())
                .containsExactly("read", "list");
    }

    @Test
    void aSecondIdUnderOneIndexIsASecondCall() throws Exception {
        List<JsonNode> calls =
                calls(
                        """
                        [{"index":0,"id":"a","function":{"name":"read","arguments":"{}"}},
                         {"index":0,"id":"b","function":{"name":"list","arguments":"{}"}}]\
                        """);
        assertThat(calls).extracting(call -> call.path("index").asInt()).containsExactly(0, 1);
    }

    @Test
    void aMissingIndexIsGivenByTheId() throws Exception {
        List<JsonNode> calls = new ArrayList<>();
        calls.addAll(
                calls("[{\"id\":\"a\",\"function\":{\"name\":\"read\",\"arguments\":\"{\"}}]"));
        calls.addAll(calls("[{\"function\":{\"arguments\":\"}\"}}]"));
        calls.addAll(
                calls("[{\"id\":\"b\",\"function\":{\"name\":\"list\",\"arguments\":\"{}\"}}]"));
        assertThat(calls).extracting(call -> call.path("index").asInt()).containsExactly(0, 0, 1);
    }

    @Test
    void argumentsThatAreAnObjectBecomeItsText() throws Exception {
        List<JsonNode> calls =
                calls(
                        "[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"x\",\"arguments\":{\"a\":1}}}]");
        assertThat(calls.getFirst().path("function").path("arguments").asText())
                .isEqualTo("{\"a\":1}");
    }

    @Test
    void anErrorChunkIsAFault() {
        take("{\"error\":{\"type\":\"server_error\",\"message\":\"boom\"}}");
        assertThat(dialect.fault()).map(Fault::kind).contains(Fault.Kind.TRANSIENT);
    }

    @Test
    void aPieceThatIsNoJsonIsGarbled() {
        take("{\"choices\":[");
        assertThat(dialect.fault()).map(Fault::kind).contains(Fault.Kind.GARBLED);
    }

    @Test
    void aContentFilterIsARefusal() {
        take("{\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}");
        assertThat(dialect.fault()).map(Fault::kind).contains(Fault.Kind.REFUSED);
    }

    @Test
    void aRefusalIsToldInItsOwnWords() {
        take("{\"choices\":[{\"delta\":{\"refusal\":\"I will not.\"}}]}");
        take("{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}");
        assertThat(dialect.fault())
                .isPresent()
                .get()
                .satisfies(fault -> assertThat(fault.message()).contains("I will not."));
    }

    @Test
    void withoutAFinishTheReplyIsNotWhole() {
        take("{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}");
        assertThat(dialect.isComplete()).isFalse();
    }

    @Test
    void aReplyThatHitTheLimitIsCut() {
        take("{\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}");
        assertThat(dialect.ending()).isEqualTo(Endpoint.Ending.CUT);
    }

    private List<SseEvent> take(String data) {
        return dialect.normalised(new SseEvent("message", data));
    }

    private List<JsonNode> calls(String toolCalls) throws Exception {
        List<JsonNode> calls = new ArrayList<>();
        for (SseEvent event :
                take(
                        "{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":"
                                + toolCalls
                                + "}}]}")) {
            JsonNode each = json.readTree(event.data());
            calls.add(each.path("choices").path(0).path("delta").path("tool_calls").path(0));
        }
        return calls;
    }
}
