package ai.hanzo.dev.protocol.wire;

import static ai.hanzo.dev.protocol.wire.Checks.present;
import static ai.hanzo.dev.protocol.wire.Checks.texts;

import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.zap.dev.AgentBuilder;
import ai.hanzo.dev.zap.dev.CallBuilder;
import ai.hanzo.dev.zap.dev.CallView;
import ai.hanzo.dev.zap.dev.InvalidBuilder;
import ai.hanzo.dev.zap.dev.PlanBuilder;
import ai.hanzo.dev.zap.dev.ToolKind;
import java.util.List;

/** The model's calls as structs of the schema, and back. */
final class CallWire {
    private CallWire() {}

    static CallBuilder builder(Call call) {
        var builder =
                new CallBuilder()
                        .callId(call.callId())
                        .tool(call.tool())
                        .sizeBytes(Checks.unsigned(call.sizeBytes(), "sizeBytes"));
        return switch (call.request()) {
            case Call.Operation(Op op) -> operation(builder, op);
            case Call.Agent(String task, List<String> tools) ->
                    builder.kind(ToolKind.AGENT).agent(new AgentBuilder().task(task).tools(tools));
            case Call.Plan(List<Op.PlanItem> items) ->
                    builder.kind(ToolKind.PLAN)
                            .plan(new PlanBuilder().items(OpWriter.items(items)));
            case Call.Invalid(String message) ->
                    builder.kind(ToolKind.INVALID).invalid(new InvalidBuilder().message(message));
        };
    }

    private static CallBuilder operation(CallBuilder builder, Op of) {
        return switch (of) {
            case Op.Read op -> builder.kind(ToolKind.READ).read(OpWriter.read(op));
            case Op.Write op -> builder.kind(ToolKind.WRITE).write(OpWriter.write(op));
            case Op.Patch op -> builder.kind(ToolKind.PATCH).patch(OpWriter.patch(op));
            case Op.Exec op -> builder.kind(ToolKind.EXEC).exec(OpWriter.exec(op));
            case Op.Git op -> builder.kind(ToolKind.GIT).git(OpWriter.git(op));
            case Op.Browse op -> builder.kind(ToolKind.BROWSE).browse(OpWriter.browse(op));
            case Op.Ask op -> builder.kind(ToolKind.ASK).ask(OpWriter.ask(op));
            case Op.ListFiles op -> builder.kind(ToolKind.LIST).list(OpWriter.list(op));
            case Op.Search op -> builder.kind(ToolKind.SEARCH).search(OpWriter.search(op));
            case Op.Stat op -> builder.kind(ToolKind.STAT).stat(OpWriter.stat(op));
            case Op.Send op -> builder.kind(ToolKind.SEND).send(OpWriter.send(op));
            case Op.ModelAsk _, Op.Emit _, Op.Save _, Op.Done _ ->
                    throw new IllegalArgumentException("no tool of the model: " + of);
        };
    }

    static Call call(CallView view) {
        return new Call(
                view.callId(),
                view.tool(),
                Checks.int31(view.sizeBytes(), "sizeBytes"),
                request(view));
    }

    private static Call.Request request(CallView view) {
        ToolKind kind = view.kind();
        present(hasCase(view, kind), kind.name());
        return switch (kind) {
            case READ -> new Call.Operation(OpReader.read(view.read()));
            case WRITE -> new Call.Operation(OpReader.write(view.write()));
            case PATCH -> new Call.Operation(OpReader.patch(view.patch()));
            case EXEC -> new Call.Operation(OpReader.exec(view.exec()));
            case GIT -> new Call.Operation(OpReader.git(view.git()));
            case BROWSE -> new Call.Operation(OpReader.browse(view.browse()));
            case ASK -> new Call.Operation(OpReader.ask(view.ask()));
            case LIST -> new Call.Operation(OpReader.listFiles(view.list()));
            case SEARCH -> new Call.Operation(OpReader.search(view.search()));
            case STAT -> new Call.Operation(OpReader.stat(view.stat()));
            case SEND -> new Call.Operation(OpReader.send(view.send()));
            case AGENT -> {
                var agent = view.agent();
                yield new Call.Agent(agent.task(), texts(agent.toolsCount(), agent::tools));
            }
            case PLAN -> {
                var plan = view.plan();
                yield new Call.Plan(
                        Checks.list(plan.itemsCount(), i -> OpReader.item(plan.items(i))));
            }
            case INVALID -> new Call.Invalid(view.invalid().message());
        };
    }

    private static boolean hasCase(CallView view, ToolKind kind) {
        return switch (kind) {
            case READ -> view.hasRead();
            case WRITE -> view.hasWrite();
            case PATCH -> view.hasPatch();
            case EXEC -> view.hasExec();
            case GIT -> view.hasGit();
            case BROWSE -> view.hasBrowse();
            case ASK -> view.hasAsk();
            case LIST -> view.hasList();
            case SEARCH -> view.hasSearch();
            case STAT -> view.hasStat();
            case SEND -> view.hasSend();
            case AGENT -> view.hasAgent();
            case PLAN -> view.hasPlan();
            case INVALID -> view.hasInvalid();
        };
    }
}
