package ai.hanzo.dev.host.secret;

import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Sha256;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How entries name bodies: a content by its digest, a value of {@code env} or of a header, and a
 * script, as {@code sealed:} and 64 hexadecimal digits. Pure functions.
 */
public final class References {
    private static final String PREFIX = "sealed:";
    private static final Pattern FORM = Pattern.compile(PREFIX + "[0-9a-f]{64}");

    private References() {}

    static String of(Sha256 name) {
        return PREFIX + name.toHex();
    }

    /** The body that a text names, if it names one. */
    public static Optional<Sha256> in(String text) {
        return FORM.matcher(text).matches()
                ? Optional.of(Sha256.parse(text.substring(PREFIX.length())))
                : Optional.empty();
    }

    /** The bodies that a call names. */
    public static Stream<Sha256> of(Call call) {
        return switch (call.request()) {
            case Call.Operation(Op op) -> of(op);
            case Call.Agent _, Call.Plan _, Call.Invalid _ -> Stream.empty();
        };
    }

    /** The bodies that an operation names. */
    public static Stream<Sha256> of(Op op) {
        return switch (op) {
            case Op.Write write -> of(write.content());
            case Op.Patch patch -> of(patch.patch());
            case Op.Exec exec ->
                    Stream.concat(of(exec.stdin()), exec.env().stream().flatMap(References::of));
            case Op.Browse browse ->
                    Stream.concat(
                            of(browse.body()), browse.headers().stream().flatMap(References::of));
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
                    Stream.empty();
        };
    }

    private static Stream<Sha256> of(Op.Variable variable) {
        return in(variable.value()).stream();
    }

    private static Stream<Sha256> of(Content content) {
        return switch (content) {
            case Content.Inline _ -> Stream.empty();
            case Content.Stored stored -> Stream.of(stored.blob().digest());
        };
    }
}
