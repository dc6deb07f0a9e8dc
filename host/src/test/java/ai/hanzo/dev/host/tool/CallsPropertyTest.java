package ai.hanzo.dev.host.tool;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class CallsPropertyTest {
    private static final List<Config.Tool> TOOLS = Tools.bundled().all();

    private final Calls calls = new Calls(Content::of);

    /** What is shown again to the model is what it called. */
    @Property
    void writingAndReadingArgumentsGivesTheSameCall(@ForAll("requests") Call.Request request) {
        String tool = tool(request);
        String arguments = Calls.arguments(new Call("", tool, 0, request));
        assertThat(calls.read("", tool, arguments, TOOLS).request()).isEqualTo(request);
    }

    /** Whatever a model writes, reading it gives a call and never anything else. */
    @Property
    void anyTextGivesACall(@ForAll String arguments) {
        for (Config.Tool tool : TOOLS) {
            assertThat(calls.read("", tool.name(), arguments, TOOLS).tool()).isEqualTo(tool.name());
        }
    }

    @Provide
    Arbitrary<Call.Request> requests() {
        Arbitrary<String> some = texts().filter(text -> !text.isEmpty());
        Arbitrary<String> plain = some.filter(text -> text.indexOf('\0') < 0);
        Arbitrary<Integer> counts = Arbitraries.integers().between(0, Integer.MAX_VALUE);
        Arbitrary<Content> contents =
                Arbitraries.bytes()
                        .array(byte[].class)
                        .ofMaxSize(20)
                        .map(bytes -> Content.of(Bytes.copyOf(bytes)));
        return Arbitraries.oneOf(
                Combinators.combine(some, counts, counts)
                        .as((path, offset, length) -> op(new Op.Read(path, offset, length))),
                Combinators.combine(
                                some, contents, Arbitraries.integers().between(0, 0777).optional())
                        .as((path, content, mode) ->
                                op(new Op.Write(path, content, mode, Optional.empty()))),
                Combinators.combine(
                                plain.list().ofMinSize(1).ofMaxSize(4),
                                texts(),
                                texts(),
                                Arbitraries.integers().between(0, 3_600_000))
                        .as((argv, cwd, stdin, timeout) ->
                                op(
                                        new Op.Exec(
                                                argv,
                                                cwd,
                                                Content.of(Bytes.utf8(stdin)),
                                                List.of(new Op.Variable("A", stdin)),
                                                timeout,
                                                timeout % 2 == 1))),
                Combinators.combine(plain.list().ofMinSize(1).ofMaxSize(4), texts())
                        .as((argv, cwd) -> op(new Op.Git(argv, cwd))),
                Combinators.combine(some, some.list().ofMaxSize(3))
                        .as((question, choices) -> op(new Op.Ask(question, choices, ""))),
                Combinators.combine(some, texts(), counts)
                        .as((pattern, path, limit) -> op(new Op.Search(pattern, path, "", limit))),
                some.map(path -> op(new Op.ListFiles(path, 0, 0))),
                some.map(task -> new Call.Agent(task, List.of("read"))),
                some.map(
                        text -> new Call.Plan(List.of(new Op.PlanItem(text, Op.PlanStatus.DONE)))));
    }

    /** Whole characters only: half a surrogate pair has no UTF-8. */
    private static Arbitrary<String> texts() {
        return Arbitraries.strings()
                .filter(text -> text.chars().noneMatch(c -> Character.isSurrogate((char) c)));
    }

    private static Call.Request op(Op op) {
        return new Call.Operation(op);
    }

    private static String tool(Call.Request request) {
        return switch (request) {
            case Call.Operation operation -> toolOf(operation.op());
            case Call.Agent _ -> "agent";
            case Call.Plan _ -> "plan";
            case Call.Invalid _ -> "none";
        };
    }

    private static String toolOf(Op op) {
        return op instanceof Op.ListFiles
                ? "list"
                : op.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
}
