package ai.hanzo.dev.host.tool;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Blob;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Sha256;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CallsTest {
    private final Calls calls =
            new Calls(bytes ->
                    new Content.Stored(new Blob(Sha256.of(bytes), bytes.length(), "", "")));

    @Test
    void everyToolIsReadWithAllItsArguments() {
        assertThat(read("read", "{\"path\":\"a\",\"offset\":5000000000,\"length\":6}"))
                .isEqualTo(new Call.Operation(new Op.Read("a", 5_000_000_000L, 6)));
        assertThat(read("write", "{\"path\":\"a\",\"base64\":\"AP8=\",\"mode\":\"0755\"}"))
                .isEqualTo(
                        new Call.Operation(
                                new Op.Write(
                                        "a",
                                        Content.of(Bytes.hex("00ff")),
                                        Optional.of(0755),
                                        Optional.empty())));
        assertThat(read("patch", "{\"patch\":\"p\"}"))
                .isEqualTo(new Call.Operation(new Op.Patch(Content.of(Bytes.utf8("p")))));
        assertThat(
                        read(
                                "exec",
                                "{\"argv\":[\"a\",\"\"],\"cwd\":\"d\",\"stdin\":\"s\","
                                        + "\"env\":{\"K\":\"v\"},\"timeoutMs\":9,\"pty\":true}"))
                .isEqualTo(
                        new Call.Operation(
                                new Op.Exec(
                                        List.of("a", ""),
                                        "d",
                                        Content.of(Bytes.utf8("s")),
                                        List.of(new Op.Variable("K", "v")),
                                        9,
                                        true)));
        assertThat(read("git", "{\"argv\":[\"status\"]}"))
                .isEqualTo(new Call.Operation(new Op.Git(List.of("status"), "")));
        assertThat(
                        read(
                                "browse",
                                "{\"url\":\"https://a.example/\",\"method\":\"POST\",\"body\":\"b\"}"))
                .isEqualTo(
                        new Call.Operation(
                                new Op.Browse(
                                        "POST",
                                        "https://a.example/",
                                        List.of(),
                                        Content.of(Bytes.utf8("b")),
                                        "")));
        assertThat(read("ask", "{\"question\":\"q\",\"choices\":[\"x\",\"y\"]}"))
                .isEqualTo(new Call.Operation(new Op.Ask("q", List.of("x", "y"), "")));
        assertThat(read("agent", "{\"task\":\"t\",\"tools\":[\"read\"]}"))
                .isEqualTo(new Call.Agent("t", List.of("read")));
        assertThat(read("plan", "{\"items\":[{\"text\":\"i\",\"status\":\"active\"}]}"))
                .isEqualTo(new Call.Plan(List.of(new Op.PlanItem("i", Op.PlanStatus.ACTIVE))));
        assertThat(read("list", "{\"path\":\"\"}"))
                .isEqualTo(new Call.Operation(new Op.ListFiles(".", 0, 0)));
        assertThat(read("search", "{\"pattern\":\"p\",\"glob\":\"*.c\",\"limit\":3}"))
                .isEqualTo(new Call.Operation(new Op.Search("p", "", "*.c", 3)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    read   | {}                                   | 'path' is missing: it must be a string
                    read   | {"path":null}                        | 'path' is missing
                    read   | {"path":5}                           | 'path' must be a string, not the number 5
                    read   | {"path":""}                          | 'path' must not be empty
                    read   | {"path":"a","offset":-1}             | 'offset' must be at least 0, and -1 is not
                    read   | {"path":"a","offset":1.5}            | 'offset' must be a whole number
                    read   | {"path":"a","offset":99999999999999999999} | 'offset' must be a whole number
                    read   | {"path":"a","lines":3}               | 'lines' is not known; known are path, offset, length
                    read   | []                                   | the arguments must be an object, not an array
                    read   | {"path":"a"} x                       | not JSON
                    read   | {"path":"a","path":"b"}              | not JSON
                    read   | {"path":                             | not JSON
                    write  | {"path":"a"}                         | exactly one of 'text' and 'base64'
                    write  | {"path":"a","text":"","base64":""}   | exactly one of
                    write  | {"path":"a","base64":"%"}            | 'base64' is not base64
                    write  | {"path":"a","text":"","mode":"rwx"}  | 'mode' must look like
                    exec   | {"argv":"ls"}                        | 'argv' must be an array of strings, not a string
                    exec   | {"argv":[]}                          | 'argv' must have at least 1
                    exec   | {"argv":["ls",5]}                    | 'argv[1]' must be a string
                    exec   | {"argv":["a\\u0000b"]}               | NUL
                    exec   | {"argv":["a"],"env":{"A=B":"x"}}     | 'A=B' in 'env' is no name
                    exec   | {"argv":["a"],"env":{"A":5}}         | 'env.A' must be a string
                    exec   | {"argv":["a"],"timeoutMs":3600001}   | 'timeoutMs' must be from 1 to 3600000
                    browse | {"url":"ftp://x/"}                   | 'url' must be an absolute http
                    browse | {"url":"a b"}                        | 'url' must be an absolute http
                    browse | {"url":"http://x/","method":"get"}   | 'method' must be one of GET
                    agent  | {"task":"t","tools":["fly"]}         | 'tools' names 'fly'
                    plan   | {"items":[{"text":"x","status":"?"}]} | 'items[0].status' must be one of pending, active, done
                    fly    | {}                                   | There is no tool 'fly' here; the tools are: read, write
                    """)
    void aBadArgumentIsNamedWithWhatIsExpected(String tool, String arguments, String expected) {
        assertThat(read(tool, arguments))
                .isInstanceOfSatisfying(
                        Call.Invalid.class,
                        invalid -> assertThat(invalid.message()).contains(expected));
    }

    @Test
    void aNullForWhatMayBeLeftOutCountsAsLeftOut() {
        assertThat(read("read", "{\"path\":\"a\",\"offset\":null}"))
                .isEqualTo(new Call.Operation(new Op.Read("a", 0, 0)));
    }

    @Test
    void noArgumentsAreAnEmptyObject() {
        assertThat(read("read", "  "))
                .isInstanceOfSatisfying(
                        Call.Invalid.class,
                        invalid -> assertThat(invalid.message()).contains("'path' is missing"));
    }

    @Test
    void longContentGoesToTheStore() {
        String text = "x".repeat(Content.MAX_INLINE_BYTES + 1);
        Call call = calls.read("id", "write", "{\"path\":\"a\",\"text\":\"" + text + "\"}", all());
        assertThat(call.request())
                .isInstanceOfSatisfying(
                        Call.Operation.class,
                        operation ->
                                assertThat(((Op.Write) operation.op()).content())
                                        .isInstanceOf(Content.Stored.class));
        assertThat(Calls.arguments(call)).contains("98305 bytes, not shown again");
    }

    @Test
    void theSizeIsThatOfWhatTheModelWrote() {
        assertThat(calls.read("c1", "read", "{\"path\":\"ä\"}", all()))
                .isEqualTo(new Call("c1", "read", 13, new Call.Operation(new Op.Read("ä", 0, 0))));
    }

    private Call.Request read(String tool, String arguments) {
        return calls.read("", tool, arguments, all()).request();
    }

    private static List<Config.Tool> all() {
        return Tools.bundled().all();
    }
}
