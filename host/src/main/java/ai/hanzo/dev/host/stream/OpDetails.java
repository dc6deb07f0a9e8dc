package ai.hanzo.dev.host.stream;

import ai.hanzo.dev.host.op.v1.AskDetail;
import ai.hanzo.dev.host.op.v1.BrowseDetail;
import ai.hanzo.dev.host.op.v1.DoneDetail;
import ai.hanzo.dev.host.op.v1.EmitDetail;
import ai.hanzo.dev.host.op.v1.ExecDetail;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.ModelAskDetail;
import ai.hanzo.dev.host.op.v1.PatchDetail;
import ai.hanzo.dev.host.op.v1.PathDetail;
import ai.hanzo.dev.host.op.v1.SearchDetail;
import ai.hanzo.dev.host.op.v1.SendDetail;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.SessionId;
import java.util.Locale;

/** Shows what an action asks for. Pure functions. */
final class OpDetails {
    private OpDetails() {}

    static void set(SessionId session, Action action, JournalEntry.Builder view) {
        switch (action.op()) {
            case Op.ModelAsk ask ->
                    view.setAskModel(
                            ModelAskDetail.newBuilder()
                                    .setContext(ask.context())
                                    .setPurpose(word(ask.purpose()))
                                    .setModel(ask.model()));
            case Op.Read read -> view.setRead(path(read.path()));
            case Op.Write write ->
                    view.setWrite(path(write.path()).setSizeBytes(write.content().sizeBytes()));
            case Op.Patch patch -> view.setPatch(PatchDetail.newBuilder().setPatch(text(patch)));
            case Op.Exec exec ->
                    view.setExec(
                            ExecDetail.newBuilder().addAllArgv(exec.argv()).setCwd(exec.cwd()));
            case Op.Git git ->
                    view.setGit(ExecDetail.newBuilder().addAllArgv(git.argv()).setCwd(git.cwd()));
            case Op.Browse browse ->
                    view.setBrowse(
                            BrowseDetail.newBuilder()
                                    .setMethod(browse.method().isEmpty() ? "GET" : browse.method())
                                    .setUrl(browse.url()));
            case Op.Ask ask ->
                    view.setAsk(
                            AskDetail.newBuilder()
                                    .setQuestionId(session + "/" + action.id())
                                    .setQuestion(ask.question())
                                    .addAllChoices(ask.choices()));
            case Op.Send send ->
                    view.setSend(
                            SendDetail.newBuilder()
                                    .setChannel(send.channel())
                                    .setText(send.text()));
            case Op.Emit emit -> view.setEmit(emit(emit));
            case Op.Save _ -> {}
            case Op.Done done -> view.setDone(done(done));
            case Op.ListFiles list -> view.setList(path(list.path()));
            case Op.Search search ->
                    view.setSearch(
                            SearchDetail.newBuilder()
                                    .setPattern(search.pattern())
                                    .setPath(search.path())
                                    .setGlob(search.glob()));
            case Op.Stat stat -> view.setStat(path(stat.path()));
        }
    }

    private static PathDetail.Builder path(String path) {
        return PathDetail.newBuilder().setPath(path);
    }

    private static String text(Op.Patch patch) {
        return switch (patch.patch()) {
            case Content.Inline(var bytes) -> bytes.toUtf8();
            case Content.Stored(var blob) ->
                    "(" + blob.sizeBytes() + " bytes, " + blob.digest() + ")";
        };
    }

    private static EmitDetail.Builder emit(Op.Emit emit) {
        EmitDetail.Builder detail =
                EmitDetail.newBuilder()
                        .setKind(EmitDetail.Kind.valueOf(word(emit.kind())))
                        .setContext(emit.context())
                        .setText(emit.text());
        for (Op.PlanItem item : emit.items()) {
            detail.addItems(
                    EmitDetail.PlanItem.newBuilder()
                            .setText(item.text())
                            .setStatus(word(item.status())));
        }
        return detail;
    }

    private static DoneDetail.Builder done(Op.Done done) {
        DoneDetail.Builder detail =
                DoneDetail.newBuilder()
                        .setOutcome(DoneDetail.Outcome.valueOf(word(done.outcome())));
        if (!done.code().isEmpty()) {
            detail.setCode(done.code());
        }
        if (!done.message().isEmpty()) {
            detail.setMessage(done.message());
        }
        return detail;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
