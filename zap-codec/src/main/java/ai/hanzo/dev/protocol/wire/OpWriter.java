package ai.hanzo.dev.protocol.wire;

import static ai.hanzo.dev.protocol.wire.Checks.same;
import static ai.hanzo.dev.protocol.wire.Checks.unsigned;

import ai.hanzo.dev.protocol.Blob;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.zap.dev.AskBuilder;
import ai.hanzo.dev.zap.dev.BlobBuilder;
import ai.hanzo.dev.zap.dev.BrowseBuilder;
import ai.hanzo.dev.zap.dev.DoneBuilder;
import ai.hanzo.dev.zap.dev.EditBuilder;
import ai.hanzo.dev.zap.dev.EditKind;
import ai.hanzo.dev.zap.dev.EmitBuilder;
import ai.hanzo.dev.zap.dev.EmitKind;
import ai.hanzo.dev.zap.dev.EnvVarBuilder;
import ai.hanzo.dev.zap.dev.ExecBuilder;
import ai.hanzo.dev.zap.dev.GitBuilder;
import ai.hanzo.dev.zap.dev.ListBuilder;
import ai.hanzo.dev.zap.dev.ModelAskBuilder;
import ai.hanzo.dev.zap.dev.OutcomeKind;
import ai.hanzo.dev.zap.dev.PatchBuilder;
import ai.hanzo.dev.zap.dev.PlanItemBuilder;
import ai.hanzo.dev.zap.dev.PlanStatus;
import ai.hanzo.dev.zap.dev.Purpose;
import ai.hanzo.dev.zap.dev.ReadBuilder;
import ai.hanzo.dev.zap.dev.Role;
import ai.hanzo.dev.zap.dev.SearchBuilder;
import ai.hanzo.dev.zap.dev.SendBuilder;
import ai.hanzo.dev.zap.dev.StatBuilder;
import ai.hanzo.dev.zap.dev.WriteBuilder;
import java.util.List;

/** The operations as structs of the schema. */
final class OpWriter {
    private OpWriter() {}

    static ModelAskBuilder modelAsk(Op.ModelAsk op) {
        return new ModelAskBuilder()
                .context(unsigned(op.context(), "context"))
                .parent(unsigned(op.parent(), "parent"))
                .purpose(same(Purpose.class, op.purpose()))
                .model(op.model())
                .edits(op.edits().stream().map(OpWriter::edit).toList())
                .tools(op.tools())
                .from(unsigned(op.from(), "from"))
                .count(unsigned(op.count(), "count"));
    }

    private static EditBuilder edit(Op.Edit edit) {
        Op.Message message = edit.message();
        var builder =
                new EditBuilder()
                        .role(same(Role.class, message.role()))
                        .entry(message.entry().value())
                        .body(message.body())
                        .id(unsigned(message.id(), "id"))
                        .ids(message.callIds().stream().mapToLong(Long::longValue).toArray());
        return switch (edit) {
            case Op.Edit.Append _ -> builder.kind(EditKind.APPEND);
            case Op.Edit.Replace(int from, int count, Op.Message _) ->
                    builder.kind(EditKind.REPLACE)
                            .from(unsigned(from, "from"))
                            .count(unsigned(count, "count"));
        };
    }

    static ReadBuilder read(Op.Read op) {
        return new ReadBuilder()
                .path(op.path())
                .offset(unsigned(op.offset(), "offset"))
                .length(unsigned(op.lengthBytes(), "length"));
    }

    static WriteBuilder write(Op.Write op) {
        var builder = new WriteBuilder().path(op.path());
        switch (op.content()) {
            case Content.Inline(Bytes bytes) -> builder.data(bytes.toArray());
            case Content.Stored(Blob blob) -> builder.blob(blob(blob));
        }
        op.mode().ifPresent(mode -> builder.mode(unsigned(mode, "mode")));
        op.expected().ifPresent(digest -> builder.expected(digest.bytes().toArray()));
        int has = (op.mode().isPresent() ? 1 : 0) | (op.expected().isPresent() ? 2 : 0);
        return builder.has(has);
    }

    static PatchBuilder patch(Op.Patch op) {
        return switch (op.patch()) {
            case Content.Inline(Bytes bytes) -> {
                String text = bytes.toUtf8();
                if (!Bytes.utf8(text).equals(bytes)) {
                    throw new IllegalArgumentException("a patch that is not UTF-8");
                }
                yield new PatchBuilder().patch(text);
            }
            case Content.Stored(Blob blob) -> new PatchBuilder().blob(blob(blob));
        };
    }

    static ExecBuilder exec(Op.Exec op) {
        var builder =
                new ExecBuilder()
                        .argv(op.argv())
                        .cwd(op.cwd())
                        .env(variables(op.env()))
                        .timeoutMillis(unsigned(op.timeoutMillis(), "timeoutMillis"))
                        .pty(op.pty());
        return switch (op.stdin()) {
            case Content.Inline(Bytes bytes) -> builder.stdin(bytes.toArray());
            case Content.Stored(Blob blob) -> builder.stdinBlob(blob(blob));
        };
    }

    static GitBuilder git(Op.Git op) {
        return new GitBuilder().argv(op.argv()).cwd(op.cwd());
    }

    static BrowseBuilder browse(Op.Browse op) {
        var builder =
                new BrowseBuilder()
                        .method(op.method())
                        .url(op.url())
                        .headers(variables(op.headers()))
                        .idempotencyKey(op.idempotencyKey());
        return switch (op.body()) {
            case Content.Inline(Bytes bytes) -> builder.body(bytes.toArray());
            case Content.Stored(Blob blob) -> builder.bodyBlob(blob(blob));
        };
    }

    static AskBuilder ask(Op.Ask op) {
        return new AskBuilder().question(op.question()).choices(op.choices()).schema(op.schema());
    }

    static SendBuilder send(Op.Send op) {
        return new SendBuilder().channel(op.channel()).reference(op.reference()).text(op.text());
    }

    static EmitBuilder emit(Op.Emit op) {
        return new EmitBuilder()
                .kind(same(EmitKind.class, op.kind()))
                .context(unsigned(op.context(), "context"))
                .text(op.text())
                .items(items(op.items()));
    }

    static DoneBuilder done(Op.Done op) {
        return new DoneBuilder()
                .turn(op.turn().value())
                .outcome(same(OutcomeKind.class, op.outcome()))
                .code(op.code())
                .message(op.message());
    }

    static ListBuilder list(Op.ListFiles op) {
        return new ListBuilder()
                .path(op.path())
                .offset(unsigned(op.offset(), "offset"))
                .limit(unsigned(op.limit(), "limit"));
    }

    static SearchBuilder search(Op.Search op) {
        return new SearchBuilder()
                .pattern(op.pattern())
                .path(op.path())
                .glob(op.glob())
                .limit(unsigned(op.limit(), "limit"));
    }

    static StatBuilder stat(Op.Stat op) {
        return new StatBuilder().path(op.path());
    }

    static List<PlanItemBuilder> items(List<Op.PlanItem> items) {
        return items.stream()
                .map(item ->
                        new PlanItemBuilder()
                                .text(item.text())
                                .status(same(PlanStatus.class, item.status())))
                .toList();
    }

    static List<BlobBuilder> blobs(List<Blob> blobs) {
        return blobs.stream().map(OpWriter::blob).toList();
    }

    private static BlobBuilder blob(Blob blob) {
        return new BlobBuilder()
                .digest(blob.digest().bytes().toArray())
                .sizeBytes(blob.sizeBytes())
                .mediaType(blob.mediaType())
                .name(blob.name());
    }

    private static List<EnvVarBuilder> variables(List<Op.Variable> variables) {
        return variables.stream()
                .map(v -> new EnvVarBuilder().name(v.name()).value(v.value()))
                .toList();
    }
}
