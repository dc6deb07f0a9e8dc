package ai.hanzo.dev.policy;

import ai.hanzo.dev.policy.shell.Command;
import ai.hanzo.dev.policy.shell.CommandLine;
import ai.hanzo.dev.protocol.Op;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Takes an operation apart into the things that rules speak of. Pure. */
final class Subjects {

    private Subjects() {}

    /** At least one. */
    static List<Subject> of(Op op, Facts facts) {
        OpKind kind = OpKind.of(op);
        return switch (op) {
            case Op.Read r -> List.of(path(kind, r.path(), facts));
            case Op.ListFiles l -> List.of(path(kind, l.path(), facts));
            case Op.Search s -> List.of(path(kind, s.path(), facts));
            case Op.Stat s -> List.of(path(kind, s.path(), facts));
            case Op.Write w -> List.of(path(kind, w.path(), facts));
            case Op.Patch _ -> patch(kind, facts);
            case Op.Exec e -> exec(e, facts);
            case Op.Git g -> List.of(new Subject.OfGit(facts.git(), g.argv()));
            case Op.Browse b -> {
                String method = b.method().isEmpty() ? "GET" : b.method().toUpperCase(Locale.ROOT);
                yield List.of(new Subject.OfUrl(method, b.url(), UrlPattern.Address.of(b.url())));
            }
            case Op.Send s -> List.of(new Subject.OfChannel(s.channel()));
            case Op.Ask _, Op.ModelAsk _, Op.Emit _, Op.Save _, Op.Done _ ->
                    List.of(new Subject.Plain(kind));
        };
    }

    private static List<Subject> patch(OpKind kind, Facts facts) {
        List<String> paths = facts.patchPaths().orElse(List.of());
        if (paths.isEmpty()) {
            return List.of(new Subject.Unknown(kind));
        }
        return paths.stream().map(p -> path(kind, p, facts)).toList();
    }

    private static List<Subject> exec(Op.Exec exec, Facts facts) {
        Map<String, String> env = new LinkedHashMap<>();
        exec.env().forEach(v -> env.put(v.name(), v.value()));
        Optional<String> cwd = inWorkspace(exec.cwd(), facts.workspace());
        List<Subject> subjects = new ArrayList<>();
        for (Command command : CommandLine.commandsOf(exec.argv(), env)) {
            subjects.add(new Subject.OfCommand(command, cwd.isEmpty()));
        }
        return subjects.isEmpty()
                ? List.of(new Subject.OfCommand(Command.nothing(), cwd.isEmpty()))
                : subjects;
    }

    private static Subject path(OpKind kind, String path, Facts facts) {
        Optional<String> inside = inWorkspace(path, facts.workspace());
        return new Subject.OfPath(kind, inside.orElse(path), inside.isEmpty());
    }

    /**
     * The path relative to the workspace, {@code .} for itself; empty if it leads out by its
     * letters.
     */
    static Optional<String> inWorkspace(String path, String workspace) {
        Deque<String> parts = new ArrayDeque<>();
        String full = path.startsWith("/") ? path : workspace + "/" + path;
        for (String part : full.split("/", -1)) {
            if (part.equals("..")) {
                if (parts.isEmpty()) {
                    return Optional.empty();
                }
                parts.removeLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        String clean = "/" + String.join("/", parts);
        String root = workspace.length() > 1 ? workspace.replaceFirst("/+$", "") : "";
        if (clean.equals(root)) {
            return Optional.of(".");
        }
        return clean.startsWith(root + "/")
                ? Optional.of(clean.substring(root.length() + 1))
                : Optional.empty();
    }
}
