package ai.hanzo.dev.host.secret;

import ai.hanzo.dev.protocol.Blob;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Sha256;
import java.util.List;
import java.util.Optional;

/**
 * What is recorded of a call: bodies are taken out, texts for people are masked, and a call whose
 * other arguments hold a secret is refused, because a masked argument would be another command.
 * Used by one thread.
 */
final class CallRecording {
    private static final String TYPE = "application/octet-stream";

    private final Redactor redactor;
    private final Bodies bodies;
    private final BodyPlaces inPlace;

    CallRecording(Redactor redactor, Bodies bodies) {
        this.redactor = redactor;
        this.bodies = bodies;
        this.inPlace = new BodyPlaces(this::taken, this::taken);
    }

    /** Where bodies go. */
    interface Bodies {
        /** Takes a content; its digest. */
        Sha256 content(Bytes content);

        /** Takes a value; what stands in its place. */
        String value(String value);
    }

    Call of(Call call) {
        return new Call(
                redactor.mask(call.callId()),
                redactor.mask(call.tool()),
                call.sizeBytes(),
                request(call));
    }

    private Call.Request request(Call call) {
        return switch (call.request()) {
            case Call.Operation(Op op) ->
                    refusal(call.tool(), op)
                            .<Call.Request>map(Call.Invalid::new)
                            .orElseGet(() -> new Call.Operation(recorded(op)));
            case Call.Agent(String task, List<String> tools) ->
                    new Call.Agent(redactor.mask(task), tools);
            case Call.Plan(List<Op.PlanItem> items) -> new Call.Plan(masked(items));
            case Call.Invalid(String message) -> new Call.Invalid(redactor.mask(message));
        };
    }

    private List<Op.PlanItem> masked(List<Op.PlanItem> items) {
        return items.stream()
                .map(item -> new Op.PlanItem(redactor.mask(item.text()), item.status()))
                .toList();
    }

    /** Why a call cannot be made, for the model. */
    private Optional<String> refusal(String tool, Op op) {
        if (holdsMask(op)) {
            return Optional.of(
                    "The arguments of "
                            + redactor.mask(tool)
                            + " hold '"
                            + Redactor.MASK
                            + "…': what was hidden from you cannot be written back. Change only the"
                            + " lines around it, with patch.");
        }
        if (plain(op).stream().anyMatch(redactor::finds)) {
            return Optional.of(
                    "An argument of "
                            + redactor.mask(tool)
                            + " holds what looks like a secret, which would be recorded. Give a"
                            + " command its secrets in env or stdin, a request in headers or"
                            + " body.");
        }
        return Optional.empty();
    }

    private static boolean holdsMask(Op op) {
        return switch (op) {
            case Op.Write write -> holdsMask(write.content());
            case Op.Patch patch -> holdsMask(patch.patch());
            case Op.Exec _,
                    Op.Browse _,
                    Op.Read _,
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
                    false;
        };
    }

    private static boolean holdsMask(Content content) {
        return content instanceof Content.Inline(Bytes bytes)
                && bytes.toUtf8().contains(Redactor.MASK);
    }

    /** The arguments that are recorded as they are. */
    private static List<String> plain(Op op) {
        return switch (op) {
            case Op.Write write -> List.of(write.path());
            case Op.Exec exec -> with(exec.argv(), exec.cwd());
            case Op.Git git -> with(git.argv(), git.cwd());
            case Op.Browse browse ->
                    List.of(browse.method(), browse.url(), browse.idempotencyKey());
            case Op.Read read -> List.of(read.path());
            case Op.ListFiles list -> List.of(list.path());
            case Op.Search search -> List.of(search.pattern(), search.path(), search.glob());
            case Op.Stat stat -> List.of(stat.path());
            case Op.Send send -> List.of(send.channel(), send.reference());
            case Op.Patch _, Op.ModelAsk _, Op.Ask _, Op.Emit _, Op.Save _, Op.Done _ -> List.of();
        };
    }

    private static List<String> with(List<String> words, String more) {
        var all = new java.util.ArrayList<>(words);
        all.add(more);
        return all;
    }

    private Op recorded(Op op) {
        return switch (op) {
            case Op.Patch patch -> new Op.Patch(ifSecret(patch.patch()));
            case Op.Write _, Op.Exec _, Op.Browse _ -> inPlace.of(op);
            case Op.Ask ask ->
                    new Op.Ask(
                            redactor.mask(ask.question()),
                            ask.choices().stream().map(redactor::mask).toList(),
                            ask.schema());
            case Op.Send send ->
                    new Op.Send(send.channel(), send.reference(), redactor.mask(send.text()));
            case Op.Read _,
                    Op.Git _,
                    Op.ListFiles _,
                    Op.Search _,
                    Op.Stat _,
                    Op.ModelAsk _,
                    Op.Emit _,
                    Op.Save _,
                    Op.Done _ ->
                    op;
        };
    }

    /** The core checks the paths of a patch that it can read. */
    private Content ifSecret(Content patch) {
        return patch instanceof Content.Inline(Bytes bytes)
                        && bytes.length() <= Content.MAX_INLINE_BYTES
                        && redactor.mask(bytes).equals(bytes)
                ? patch
                : taken(patch);
    }

    private Content taken(Content content) {
        if (!(content instanceof Content.Inline(Bytes bytes)) || bytes.isEmpty()) {
            return content;
        }
        return new Content.Stored(
                new Blob(bodies.content(bytes), bytes.length(), TYPE, /* name= */ ""));
    }

    private String taken(String value) {
        return value.isEmpty() ? value : bodies.value(value);
    }
}
