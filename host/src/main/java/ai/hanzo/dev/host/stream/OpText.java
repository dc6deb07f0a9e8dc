package ai.hanzo.dev.host.stream;

import ai.hanzo.dev.protocol.Op;
import java.util.List;
import java.util.stream.Collectors;

/** The names of operations and one line of each for people. Pure functions. */
public final class OpText {
    private static final int MAX_CHARS = 200;

    private OpText() {}

    /** The op's name in the schema: {@code exec}, {@code model}, … */
    public static String name(Op op) {
        return switch (op) {
            case Op.ModelAsk _ -> "model";
            case Op.Read _ -> "read";
            case Op.Write _ -> "write";
            case Op.Patch _ -> "patch";
            case Op.Exec _ -> "exec";
            case Op.Git _ -> "git";
            case Op.Browse _ -> "browse";
            case Op.Ask _ -> "ask";
            case Op.Send _ -> "send";
            case Op.Emit _ -> "emit";
            case Op.Save _ -> "save";
            case Op.Done _ -> "done";
            case Op.ListFiles _ -> "list";
            case Op.Search _ -> "search";
            case Op.Stat _ -> "stat";
        };
    }

    /** The operation in one line, at most 200 characters. */
    public static String line(Op op) {
        return oneLine(
                switch (op) {
                    case Op.ModelAsk ask -> "ask the model (" + purpose(ask) + ")";
                    case Op.Read read -> "read " + read.path();
                    case Op.Write write ->
                            "write "
                                    + write.path()
                                    + " ("
                                    + write.content().sizeBytes()
                                    + " bytes)";
                    case Op.Patch patch -> "patch (" + patch.patch().sizeBytes() + " bytes)";
                    case Op.Exec exec -> words(exec.argv());
                    case Op.Git git -> "git " + words(git.argv());
                    case Op.Browse browse ->
                            (browse.method().isEmpty() ? "GET" : browse.method())
                                    + " "
                                    + browse.url();
                    case Op.Ask ask -> ask.question();
                    case Op.Send send -> "send to " + send.channel() + ": " + send.text();
                    case Op.Emit emit -> emit.text().isEmpty() ? plan(emit) : emit.text();
                    case Op.Save _ -> "keep this state";
                    case Op.Done done -> done(done);
                    case Op.ListFiles list -> "list " + place(list.path());
                    case Op.Search search ->
                            "search " + search.pattern() + " in " + place(search.path());
                    case Op.Stat stat -> "look at " + stat.path();
                });
    }

    private static String purpose(Op.ModelAsk ask) {
        return switch (ask.purpose()) {
            case TURN -> "turn";
            case COMPACT -> "sum up";
            case AGENT -> "agent " + ask.context();
        };
    }

    private static String plan(Op.Emit emit) {
        return emit.items().stream()
                .map(item -> mark(item.status()) + " " + item.text())
                .collect(Collectors.joining("; "));
    }

    private static String mark(Op.PlanStatus status) {
        return switch (status) {
            case PENDING -> "[ ]";
            case ACTIVE -> "[>]";
            case DONE -> "[x]";
        };
    }

    private static String done(Op.Done done) {
        return switch (done.outcome()) {
            case COMPLETE -> "turn " + done.turn() + " complete";
            case CANCELLED -> "turn " + done.turn() + " cancelled";
            case FAILED ->
                    "turn " + done.turn() + " failed: " + done.code() + ": " + done.message();
        };
    }

    private static String place(String path) {
        return path.isEmpty() ? "the workspace" : path;
    }

    /** Words as a shell would need them: quoted where they would not be one word. */
    private static String words(List<String> argv) {
        return argv.stream()
                .map(word ->
                        word.matches("[A-Za-z0-9_@%+=:,./-]+")
                                ? word
                                : "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    /** Text as one line of at most 200 characters. */
    public static String oneLine(String text) {
        String line = text.strip().replace("\r", "").replace("\n", "\\n");
        if (line.length() <= MAX_CHARS) {
            return line;
        }
        int cut = Character.isHighSurrogate(line.charAt(MAX_CHARS - 2)) ? 2 : 1;
        return line.substring(0, MAX_CHARS - cut) + "…";
    }
}
