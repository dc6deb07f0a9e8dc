package ai.hanzo.dev.host.tool;

import ai.hanzo.dev.host.tool.Arguments.Unfit;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Types the arguments of each kind of tool. Pure. */
final class ArgumentsReader {
    private ArgumentsReader() {}

    static Call.Request read(Config.ToolKind kind, Arguments from, List<Config.Tool> allowed) {
        return switch (kind) {
            case READ ->
                    op(
                            new Op.Read(
                                    from.text("path"),
                                    from.number("offset"),
                                    from.number("length")));
            case WRITE -> op(write(from));
            case PATCH -> op(new Op.Patch(from.content("patch")));
            case EXEC -> op(exec(from));
            case GIT -> op(new Op.Git(argv(from), from.text("cwd")));
            case BROWSE -> op(browse(from));
            case ASK ->
                    op(new Op.Ask(from.text("question"), from.texts("choices"), /* schema= */ ""));
            case AGENT -> agent(from, allowed);
            case PLAN -> plan(from);
            case LIST -> op(list(from));
            case SEARCH -> op(search(from));
            case STAT -> op(new Op.Stat(from.text("path")));
            case SEND ->
                    op(
                            new Op.Send(
                                    from.text("channel"),
                                    from.text("reference"),
                                    from.text("text")));
            case INVALID -> throw new Unfit("a tool of this kind cannot be called");
        };
    }

    private static Call.Request op(Op op) {
        return new Call.Operation(op);
    }

    private static Op write(Arguments from) {
        if (from.has("text") == from.has("base64")) {
            throw new Unfit("give exactly one of 'text' and 'base64'");
        }
        Optional<Integer> mode = from.optionalText("mode").map(octal -> Integer.valueOf(octal, 8));
        return new Op.Write(from.text("path"), written(from), mode, Optional.empty());
    }

    private static Content written(Arguments from) {
        if (from.has("text")) {
            return from.content("text");
        }
        try {
            return from.content(
                    Base64.getDecoder().decode(from.text("base64").replaceAll("\\s", "")));
        } catch (IllegalArgumentException _) {
            throw new Unfit("'base64' is not base64");
        }
    }

    private static Op exec(Arguments from) {
        return new Op.Exec(
                argv(from),
                from.text("cwd"),
                from.content("stdin"),
                from.variables("env"),
                from.smallNumber("timeoutMs"),
                from.isTrue("pty"));
    }

    private static List<String> argv(Arguments from) {
        List<String> argv = from.texts("argv");
        if (argv.getFirst().isEmpty()) {
            throw new Unfit("'argv[0]' must not be empty");
        }
        for (String argument : argv) {
            if (argument.indexOf('\0') >= 0) {
                throw new Unfit("'argv' must not hold a NUL character");
            }
        }
        return argv;
    }

    private static Op browse(Arguments from) {
        String url = from.text("url");
        try {
            URI parsed = new URI(url);
            String scheme = String.valueOf(parsed.getScheme()).toLowerCase(Locale.ROOT);
            if (parsed.getHost() == null || !List.of("http", "https").contains(scheme)) {
                throw new Unfit("'url' must be an absolute http or https address");
            }
        } catch (URISyntaxException _) {
            throw new Unfit("'url' must be an absolute http or https address");
        }
        return new Op.Browse(
                from.text("method"),
                url,
                from.variables("headers"),
                from.content("body"),
                /* idempotencyKey= */ "");
    }

    private static Call.Request agent(Arguments from, List<Config.Tool> allowed) {
        List<String> tools = from.texts("tools");
        List<String> known = allowed.stream().map(Config.Tool::name).toList();
        for (String tool : tools) {
            if (!known.contains(tool)) {
                throw new Unfit(
                        "'tools' names '" + tool + "', and you have: " + String.join(", ", known));
            }
        }
        return new Call.Agent(from.text("task"), tools);
    }

    private static Call.Request plan(Arguments from) {
        return new Call.Plan(
                from.objects("items").stream()
                        .map(item ->
                                new Op.PlanItem(
                                        item.text("text"),
                                        Op.PlanStatus.valueOf(
                                                item.text("status").toUpperCase(Locale.ROOT))))
                        .toList());
    }

    private static Op list(Arguments from) {
        String path = from.text("path");
        return new Op.ListFiles(
                path.isEmpty() ? "." : path, from.smallNumber("offset"), from.smallNumber("limit"));
    }

    private static Op search(Arguments from) {
        return new Op.Search(
                from.text("pattern"),
                from.text("path"),
                from.text("glob"),
                from.smallNumber("limit"));
    }
}
