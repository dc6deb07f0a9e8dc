package ai.hanzo.dev.protocol.wire;

import static ai.hanzo.dev.protocol.wire.Checks.present;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.zap.dev.ActionBuilder;
import ai.hanzo.dev.zap.dev.ActionKind;
import ai.hanzo.dev.zap.dev.ActionView;
import ai.hanzo.dev.zap.dev.ActionsBuilder;
import ai.hanzo.dev.zap.dev.ActionsView;
import java.util.List;

/**
 * Actions as ZAP messages: one action is the payload of an output entry, a batch of them the output
 * of {@code dev_step}. The same action always gives the same bytes.
 */
public final class ActionWire {
    private ActionWire() {}

    /**
     * The message of one action.
     *
     * @throws IllegalArgumentException if it holds a negative number, or a patch that is not UTF-8
     */
    public static Bytes encode(Action action) {
        return Bytes.wrap(builder(action).toMessage());
    }

    /**
     * The action in {@code message}.
     *
     * @throws ai.hanzo.dev.zap.CodecException if it is not one
     */
    public static Action decode(Bytes message) {
        return action(ActionView.open(message.toArray()));
    }

    /**
     * The message of a batch.
     *
     * @throws IllegalArgumentException as {@link #encode}
     */
    public static Bytes encodeBatch(List<Action> actions) {
        var builder =
                new ActionsBuilder().items(actions.stream().map(ActionWire::builder).toList());
        return Bytes.wrap(builder.toMessage());
    }

    /**
     * The actions in {@code message}, in order.
     *
     * @throws ai.hanzo.dev.zap.CodecException if it is not a batch
     */
    public static List<Action> decodeBatch(Bytes message) {
        ActionsView view = ActionsView.open(message.toArray());
        return List.copyOf(Checks.list(view.itemsCount(), i -> action(view.items(i))));
    }

    private static ActionBuilder builder(Action action) {
        var builder = new ActionBuilder().id(action.id().value());
        return switch (action.op()) {
            case Op.ModelAsk op -> builder.kind(ActionKind.MODEL).model(OpWriter.modelAsk(op));
            case Op.Read op -> builder.kind(ActionKind.READ).read(OpWriter.read(op));
            case Op.Write op -> builder.kind(ActionKind.WRITE).write(OpWriter.write(op));
            case Op.Patch op -> builder.kind(ActionKind.PATCH).patch(OpWriter.patch(op));
            case Op.Exec op -> builder.kind(ActionKind.EXEC).exec(OpWriter.exec(op));
            case Op.Git op -> builder.kind(ActionKind.GIT).git(OpWriter.git(op));
            case Op.Browse op -> builder.kind(ActionKind.BROWSE).browse(OpWriter.browse(op));
            case Op.Ask op -> builder.kind(ActionKind.ASK).ask(OpWriter.ask(op));
            case Op.Send op -> builder.kind(ActionKind.SEND).send(OpWriter.send(op));
            case Op.Emit op -> builder.kind(ActionKind.EMIT).emit(OpWriter.emit(op));
            case Op.Save _ -> builder.kind(ActionKind.SAVE);
            case Op.Done op -> builder.kind(ActionKind.DONE).done(OpWriter.done(op));
            case Op.ListFiles op -> builder.kind(ActionKind.LIST).list(OpWriter.list(op));
            case Op.Search op -> builder.kind(ActionKind.SEARCH).search(OpWriter.search(op));
            case Op.Stat op -> builder.kind(ActionKind.STAT).stat(OpWriter.stat(op));
        };
    }

    private static Action action(ActionView view) {
        return new Action(Checks.actionId(view.id()), op(view));
    }

    private static Op op(ActionView view) {
        ActionKind kind = view.kind();
        present(hasCase(view, kind), kind.name());
        return switch (kind) {
            case MODEL -> OpReader.modelAsk(view.model());
            case READ -> OpReader.read(view.read());
            case WRITE -> OpReader.write(view.write());
            case PATCH -> OpReader.patch(view.patch());
            case EXEC -> OpReader.exec(view.exec());
            case GIT -> OpReader.git(view.git());
            case BROWSE -> OpReader.browse(view.browse());
            case ASK -> OpReader.ask(view.ask());
            case SEND -> OpReader.send(view.send());
            case EMIT -> OpReader.emit(view.emit());
            case SAVE -> new Op.Save();
            case DONE -> OpReader.done(view.done());
            case LIST -> OpReader.listFiles(view.list());
            case SEARCH -> OpReader.search(view.search());
            case STAT -> OpReader.stat(view.stat());
        };
    }

    private static boolean hasCase(ActionView view, ActionKind kind) {
        return switch (kind) {
            case MODEL -> view.hasModel();
            case READ -> view.hasRead();
            case WRITE -> view.hasWrite();
            case PATCH -> view.hasPatch();
            case EXEC -> view.hasExec();
            case GIT -> view.hasGit();
            case BROWSE -> view.hasBrowse();
            case ASK -> view.hasAsk();
            case SEND -> view.hasSend();
            case EMIT -> view.hasEmit();
            case SAVE -> true;
            case DONE -> view.hasDone();
            case LIST -> view.hasList();
            case SEARCH -> view.hasSearch();
            case STAT -> view.hasStat();
        };
    }
}
