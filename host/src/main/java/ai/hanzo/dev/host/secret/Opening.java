package ai.hanzo.dev.host.secret;

import ai.hanzo.dev.protocol.Blob;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Puts bodies back into what names them.
 *
 * @param contents the bytes of a content
 * @param values the text of a value; one that is no name stays
 */
record Opening(Function<Blob, Bytes> contents, UnaryOperator<String> values) {

    Call of(Call call) {
        return switch (call.request()) {
            case Call.Operation(Op op) ->
                    new Call(
                            call.callId(),
                            call.tool(),
                            call.sizeBytes(),
                            new Call.Operation(of(op)));
            case Call.Agent _, Call.Plan _, Call.Invalid _ -> call;
        };
    }

    Op of(Op op) {
        return switch (op) {
            case Op.Write write ->
                    new Op.Write(write.path(), of(write.content()), write.mode(), write.expected());
            case Op.Patch patch -> new Op.Patch(of(patch.patch()));
            case Op.Exec exec ->
                    new Op.Exec(
                            exec.argv(),
                            exec.cwd(),
                            of(exec.stdin()),
                            of(exec.env()),
                            exec.timeoutMillis(),
                            exec.pty());
            case Op.Browse browse ->
                    new Op.Browse(
                            browse.method(),
                            browse.url(),
                            of(browse.headers()),
                            of(browse.body()),
                            browse.idempotencyKey());
            case Op.Read _,
                    Op.Git _,
                    Op.ModelAsk _,
                    Op.Ask _,
                    Op.Send _,
                    Op.Emit _,
                    Op.Save _,
                    Op.Done _,
                    Op.ListFiles _,
                    Op.Search _,
                    Op.Stat _ ->
                    op;
        };
    }

    private Content of(Content content) {
        return switch (content) {
            case Content.Inline inline -> inline;
            case Content.Stored(Blob blob) -> new Content.Inline(contents.apply(blob));
        };
    }

    private List<Op.Variable> of(List<Op.Variable> variables) {
        return variables.stream()
                .map(one -> new Op.Variable(one.name(), values.apply(one.value())))
                .toList();
    }
}
