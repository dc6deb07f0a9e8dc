package ai.hanzo.dev.host.secret;

import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Puts something else into each place of an operation where a body can stand.
 *
 * @param contents what stands there for a content
 * @param values what stands there for the value of a variable or a header
 */
record BodyPlaces(UnaryOperator<Content> contents, UnaryOperator<String> values) {

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
                    new Op.Write(
                            write.path(),
                            contents.apply(write.content()),
                            write.mode(),
                            write.expected());
            case Op.Patch patch -> new Op.Patch(contents.apply(patch.patch()));
            case Op.Exec exec ->
                    new Op.Exec(
                            exec.argv(),
                            exec.cwd(),
                            contents.apply(exec.stdin()),
                            of(exec.env()),
                            exec.timeoutMillis(),
                            exec.pty());
            case Op.Browse browse ->
                    new Op.Browse(
                            browse.method(),
                            browse.url(),
                            of(browse.headers()),
                            contents.apply(browse.body()),
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

    private List<Op.Variable> of(List<Op.Variable> variables) {
        return variables.stream()
                .map(one -> new Op.Variable(one.name(), values.apply(one.value())))
                .toList();
    }
}
