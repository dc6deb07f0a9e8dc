package ai.hanzo.dev.protocol.wire;

import static ai.hanzo.dev.protocol.wire.Checks.hasBit;
import static ai.hanzo.dev.protocol.wire.Checks.int31;
import static ai.hanzo.dev.protocol.wire.Checks.list;
import static ai.hanzo.dev.protocol.wire.Checks.long63;
import static ai.hanzo.dev.protocol.wire.Checks.same;
import static ai.hanzo.dev.protocol.wire.Checks.texts;

import ai.hanzo.dev.protocol.Blob;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.dev.AskView;
import ai.hanzo.dev.zap.dev.BlobView;
import ai.hanzo.dev.zap.dev.BrowseView;
import ai.hanzo.dev.zap.dev.DoneView;
import ai.hanzo.dev.zap.dev.EditView;
import ai.hanzo.dev.zap.dev.EmitView;
import ai.hanzo.dev.zap.dev.EnvVarView;
import ai.hanzo.dev.zap.dev.ExecView;
import ai.hanzo.dev.zap.dev.GitView;
import ai.hanzo.dev.zap.dev.ListView;
import ai.hanzo.dev.zap.dev.ModelAskView;
import ai.hanzo.dev.zap.dev.PatchView;
import ai.hanzo.dev.zap.dev.PlanItemView;
import ai.hanzo.dev.zap.dev.ReadView;
import ai.hanzo.dev.zap.dev.SearchView;
import ai.hanzo.dev.zap.dev.SendView;
import ai.hanzo.dev.zap.dev.StatView;
import ai.hanzo.dev.zap.dev.WriteView;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** Structs of the schema as operations. */
final class OpReader {
    private OpReader() {}

    static Op.ModelAsk modelAsk(ModelAskView view) {
        return new Op.ModelAsk(
                int31(view.context(), "context"),
                int31(view.parent(), "parent"),
                same(Op.Purpose.class, view.purpose()),
                view.model(),
                list(view.editsCount(), i -> edit(view.edits(i))),
                texts(view.toolsCount(), view::tools),
                int31(view.from(), "from"),
                int31(view.count(), "count"));
    }

    private static Op.Edit edit(EditView view) {
        var message =
                new Op.Message(
                        same(Op.Role.class, view.role()),
                        Checks.seq(view.entry()),
                        view.body(),
                        long63(view.id(), "id"),
                        list(view.idsCount(), i -> long63(view.ids(i), "id")));
        return switch (view.kind()) {
            case APPEND -> new Op.Edit.Append(message);
            case REPLACE ->
                    new Op.Edit.Replace(
                            int31(view.from(), "from"), int31(view.count(), "count"), message);
        };
    }

    static Op.Read read(ReadView view) {
        return new Op.Read(
                view.path(), long63(view.offset(), "offset"), long63(view.length(), "length"));
    }

    static Op.Write write(WriteView view) {
        Optional<Integer> mode =
                hasBit(view.has(), 0) ? Optional.of(int31(view.mode(), "mode")) : Optional.empty();
        Optional<Sha256> expected =
                hasBit(view.has(), 1)
                        ? Optional.of(Checks.digest(view.expected()))
                        : Optional.empty();
        Content content =
                view.hasBlob()
                        ? stored(view.blob(), view.hasData())
                        : Content.of(Bytes.wrap(view.data()));
        return new Op.Write(view.path(), content, mode, expected);
    }

    static Op.Patch patch(PatchView view) {
        return new Op.Patch(
                view.hasBlob()
                        ? stored(view.blob(), view.hasPatch())
                        : Content.of(Bytes.wrap(view.reader().copy(view.patchRun()))));
    }

    static Op.Exec exec(ExecView view) {
        return new Op.Exec(
                texts(view.argvCount(), view::argv),
                view.cwd(),
                view.hasStdinBlob()
                        ? stored(view.stdinBlob(), view.hasStdin())
                        : Content.of(Bytes.wrap(view.stdin())),
                list(view.envCount(), i -> variable(view.env(i))),
                int31(view.timeoutMillis(), "timeoutMillis"),
                view.pty());
    }

    static Op.Git git(GitView view) {
        return new Op.Git(texts(view.argvCount(), view::argv), view.cwd());
    }

    static Op.Browse browse(BrowseView view) {
        return new Op.Browse(
                view.method(),
                view.url(),
                list(view.headersCount(), i -> variable(view.headers(i))),
                view.hasBodyBlob()
                        ? stored(view.bodyBlob(), view.hasBody())
                        : Content.of(Bytes.wrap(view.body())),
                view.idempotencyKey());
    }

    static Op.Ask ask(AskView view) {
        return new Op.Ask(
                view.question(), texts(view.choicesCount(), view::choices), view.schema());
    }

    static Op.Send send(SendView view) {
        return new Op.Send(view.channel(), view.reference(), view.text());
    }

    static Op.Emit emit(EmitView view) {
        return new Op.Emit(
                same(Op.EmitKind.class, view.kind()),
                int31(view.context(), "context"),
                view.text(),
                list(view.itemsCount(), i -> item(view.items(i))));
    }

    static Op.Done done(DoneView view) {
        return new Op.Done(
                Checks.turnId(view.turn()),
                same(Op.TurnOutcome.class, view.outcome()),
                view.code(),
                view.message());
    }

    static Op.ListFiles listFiles(ListView view) {
        return new Op.ListFiles(
                view.path(), int31(view.offset(), "offset"), int31(view.limit(), "limit"));
    }

    static Op.Search search(SearchView view) {
        return new Op.Search(
                view.pattern(), view.path(), view.glob(), int31(view.limit(), "limit"));
    }

    static Op.Stat stat(StatView view) {
        return new Op.Stat(view.path());
    }

    static Op.PlanItem item(PlanItemView view) {
        return new Op.PlanItem(view.text(), same(Op.PlanStatus.class, view.status()));
    }

    static Blob blob(BlobView view) {
        return new Blob(
                Checks.digest(view.digest()),
                long63(view.sizeBytes(), "sizeBytes"),
                view.mediaType(),
                view.name());
    }

    static List<Blob> blobs(int count, IntFunction<BlobView> at) {
        return list(count, i -> blob(at.apply(i)));
    }

    private static Content stored(BlobView blob, boolean isInlineToo) {
        if (isInlineToo) {
            throw CodecException.badValue("bytes that are both in the message and in the store");
        }
        return new Content.Stored(blob(blob));
    }

    private static Op.Variable variable(EnvVarView view) {
        return new Op.Variable(view.name(), view.value());
    }
}
