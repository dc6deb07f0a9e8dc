package ai.hanzo.dev.policy;

import ai.hanzo.dev.policy.RulesText.Entries;
import ai.hanzo.dev.policy.RulesText.Items;
import ai.hanzo.dev.policy.RulesText.Node;
import ai.hanzo.dev.policy.RulesText.Scalar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Turns a text into rules; strict: what it does not know is refused with its line. */
final class RulesReader {

    private static final Set<String> TOP = Set.of("version", "name", "extends", "network", "rules");
    private static final Set<String> KEYS =
            Set.of(
                    "name",
                    "op",
                    "argv",
                    "unclear",
                    "path",
                    "outside",
                    "method",
                    "url",
                    "channel",
                    "git",
                    "readonly",
                    "verdict",
                    "reason");
    private static final Set<String> GIT = Set.of("inert", "local", "outward", "unclear");

    /** What a text says. */
    record Read(String name, String base, List<Destination> network, List<Rule> rules) {}

    private RulesReader() {}

    static Read read(String defaultName, String text) {
        Entries top = entries(RulesText.read(text), "The whole text");
        known(top, TOP);
        String version = optional(top, "version", "1");
        if (!version.equals("1")) {
            throw RulesException.unknown(
                    top.lines().getOrDefault("version", top.line()),
                    "version " + version + " is not known here; this program reads version 1.");
        }
        String name = optional(top, "name", defaultName);
        String base = optional(top, "extends", "");
        List<Rule> rules = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        Node list = top.entries().get("rules");
        List<Destination> network = compiled(top, "network", Destination::of);
        if (list == null && base.isEmpty()) {
            throw RulesException.invalid(top.line(), "'rules' is missing.");
        }
        for (Node node : list == null ? List.<Node>of() : items(list, "'rules'")) {
            Rule rule = rule(name, names.size() + 1, entries(node, "A rule"));
            if (!names.add(rule.name())) {
                throw RulesException.invalid(
                        node.line(), "the name " + rule.name() + " is there twice.");
            }
            rules.add(rule);
        }
        return new Read(name, base, network, List.copyOf(rules));
    }

    private static Rule rule(String set, int number, Entries e) {
        known(e, KEYS);
        Set<OpKind> ops = ops(e);
        belong(e, ops, "argv", EnumSet.of(OpKind.EXEC));
        belong(e, ops, "unclear", EnumSet.of(OpKind.EXEC));
        belong(e, ops, "git", EnumSet.of(OpKind.GIT));
        belong(e, ops, "method", EnumSet.of(OpKind.BROWSE));
        belong(e, ops, "url", EnumSet.of(OpKind.BROWSE));
        belong(e, ops, "channel", EnumSet.of(OpKind.SEND));
        EnumSet<OpKind> paths = EnumSet.range(OpKind.READ, OpKind.PATCH);
        belong(e, ops, "path", paths);
        paths.add(OpKind.EXEC);
        belong(e, ops, "outside", paths);
        if (isSet(e, "unclear") && e.entries().containsKey("argv")) {
            throw RulesException.invalid(e.line(), "'unclear' and 'argv' exclude each other.");
        }
        String name = optional(e, "name", "rule-" + number);
        if (!name.matches("[A-Za-z0-9._-]{1,64}")) {
            throw RulesException.invalid(
                    e.line(), "a name has letters, digits, '.', '_' and '-', at most 64.");
        }
        return new Rule(
                set + "/" + name,
                ops,
                new Rule.Conditions(isSet(e, "unclear"), isSet(e, "outside"), isSet(e, "readonly")),
                compiled(e, "argv", ArgvPattern::of),
                compiled(e, "path", t -> Glob.of(t, '/')),
                compiled(e, "method", t -> t.toUpperCase(Locale.ROOT)),
                compiled(e, "url", UrlPattern::of),
                compiled(e, "channel", t -> Glob.of(t, '\0')),
                git(e),
                verdict(e),
                optional(e, "reason", ""));
    }

    private static Set<OpKind> ops(Entries e) {
        Set<OpKind> ops = EnumSet.noneOf(OpKind.class);
        if (!e.entries().containsKey("op")) {
            throw RulesException.invalid(e.line(), "a rule needs 'op': " + OpKind.names() + ".");
        }
        for (Scalar s : scalars(e, "op")) {
            OpKind kind = OpKind.named(s.text()).filter(k -> !k.isOwn()).orElse(null);
            if (kind == null) {
                throw RulesException.unknown(
                        s.line(),
                        "'" + s.text() + "' is no operation; there are " + OpKind.names() + ".");
            }
            ops.add(kind);
        }
        if (ops.isEmpty()) {
            throw RulesException.invalid(e.line(), "'op' is empty.");
        }
        return ops;
    }

    private static Set<String> git(Entries e) {
        Set<String> kinds = new LinkedHashSet<>();
        for (Scalar s : scalars(e, "git")) {
            if (!GIT.contains(s.text())) {
                throw RulesException.unknown(
                        s.line(), "'git' is one of inert, local, outward, unclear.");
            }
            kinds.add(s.text());
        }
        return kinds;
    }

    private static Verdict verdict(Entries e) {
        if (!e.entries().containsKey("verdict")) {
            throw RulesException.invalid(e.line(), "a rule needs 'verdict'.");
        }
        Scalar s = scalar(e, "verdict");
        return Arrays.stream(Verdict.values())
                .filter(v -> v.text().equals(s.text()))
                .findFirst()
                .orElseThrow(() ->
                        RulesException.unknown(
                                s.line(),
                                "'"
                                        + s.text()
                                        + "' is no verdict; there are "
                                        + Arrays.stream(Verdict.values())
                                                .map(Verdict::text)
                                                .collect(Collectors.joining(", "))
                                        + "."));
    }

    private static void belong(Entries e, Set<OpKind> ops, String key, Set<OpKind> allowed) {
        if (e.entries().containsKey(key) && !allowed.containsAll(ops)) {
            throw RulesException.invalid(
                    e.lines().getOrDefault(key, e.line()),
                    "'"
                            + key
                            + "' is only for "
                            + allowed.stream().map(OpKind::text).collect(Collectors.joining(", "))
                            + ".");
        }
    }

    private static void known(Entries e, Set<String> keys) {
        for (String key : e.entries().keySet()) {
            if (!keys.contains(key)) {
                throw RulesException.unknown(
                        e.lines().getOrDefault(key, e.line()),
                        "'"
                                + key
                                + "' is not known; there are "
                                + keys.stream().sorted().collect(Collectors.joining(", "))
                                + ".");
            }
        }
    }

    private static <T> List<T> compiled(Entries e, String key, Function<String, T> compile) {
        List<T> out = new ArrayList<>();
        for (Scalar s : scalars(e, key)) {
            try {
                out.add(compile.apply(s.text()));
            } catch (IllegalArgumentException x) {
                throw RulesException.invalid(s.line(), x.getMessage() + ".");
            }
        }
        if (e.entries().containsKey(key) && out.isEmpty()) {
            throw RulesException.invalid(e.line(), "'" + key + "' is empty.");
        }
        return out;
    }

    private static boolean isSet(Entries e, String key) {
        if (!e.entries().containsKey(key)) {
            return false;
        }
        Scalar s = scalar(e, key);
        return switch (s.text()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw RulesException.unknown(s.line(), "'" + key + "' is true or false.");
        };
    }

    private static String optional(Entries e, String key, String otherwise) {
        return e.entries().containsKey(key) ? scalar(e, key).text() : otherwise;
    }

    private static Scalar scalar(Entries e, String key) {
        if (e.entries().get(key) instanceof Scalar s) {
            return s;
        }
        throw RulesException.syntax(
                e.lines().getOrDefault(key, e.line()), "'" + key + "' is a single text.");
    }

    /** One text or a list of texts; empty if the key is not there. */
    private static List<Scalar> scalars(Entries e, String key) {
        Node node = e.entries().get(key);
        if (node == null) {
            return List.of();
        }
        if (node instanceof Scalar s) {
            return List.of(s);
        }
        List<Scalar> out = new ArrayList<>();
        for (Node item : items(node, "'" + key + "'")) {
            if (!(item instanceof Scalar s)) {
                throw RulesException.syntax(item.line(), "'" + key + "' is a list of texts.");
            }
            out.add(s);
        }
        return out;
    }

    private static Entries entries(Node node, String what) {
        if (node instanceof Entries e) {
            return e;
        }
        throw RulesException.syntax(node.line(), what + " is a mapping of keys to values.");
    }

    private static List<Node> items(Node node, String what) {
        if (node instanceof Items i) {
            return i.items();
        }
        throw RulesException.syntax(node.line(), what + " is a list.");
    }
}
