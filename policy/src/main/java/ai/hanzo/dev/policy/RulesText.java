package ai.hanzo.dev.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The small part of YAML that rules are written in: block mappings and lists, lists in brackets,
 * quoted and plain text, comments. JSON is read too. Anchors, tags, block text and several
 * documents are refused by name. One instance a text, one thread.
 */
final class RulesText {

    /** A value with the line on which it begins, from 1. */
    sealed interface Node {
        int line();
    }

    /** Text, however it was quoted. */
    record Scalar(int line, String text) implements Node {}

    /** A list. */
    record Items(int line, List<Node> items) implements Node {}

    /** A mapping, in the order of the text. */
    record Entries(int line, Map<String, Node> entries, Map<String, Integer> lines)
            implements Node {}

    private record Line(int number, int indent, String text) {}

    private final List<Line> lines = new ArrayList<>();
    private int at;

    private RulesText() {}

    /**
     * Reads a text.
     *
     * @throws RulesException with code SYNTAX
     */
    static Node read(String text) {
        String body = text.startsWith("\uFEFF") ? text.substring(1) : text;
        if (body.stripLeading().startsWith("{")) {
            int before = body.length() - body.stripLeading().length();
            RulesFlow flow = new RulesFlow(body, before, 1 + count(body, before));
            try {
                Node node = flow.value();
                flow.end();
                return node;
            } catch (RulesFlow.Unfinished e) {
                throw RulesException.syntax(1 + count(body, body.length()), e.what());
            }
        }
        RulesText reader = new RulesText();
        reader.split(body);
        if (reader.lines.isEmpty()) {
            throw RulesException.syntax(1, "there is nothing in it.");
        }
        Node node = reader.block(reader.lines.getFirst().indent());
        if (reader.at < reader.lines.size()) {
            Line line = reader.lines.get(reader.at);
            throw RulesException.syntax(line.number(), "the indentation fits nothing above.");
        }
        return node;
    }

    private static int count(String text, int end) {
        return (int) text.substring(0, end).chars().filter(c -> c == '\n').count();
    }

    private void split(String text) {
        int number = 0;
        for (String raw : text.split("\r?\n", -1)) {
            number++;
            String content = raw.stripTrailing();
            int indent = 0;
            while (indent < content.length() && content.charAt(indent) == ' ') {
                indent++;
            }
            String rest = content.substring(indent);
            if (rest.startsWith("\t")) {
                throw RulesException.syntax(number, "indent with spaces, not with tabs.");
            }
            boolean mark = rest.equals("---") && lines.isEmpty();
            if (rest.isEmpty() || rest.startsWith("#") || mark) {
                continue;
            }
            if (indent == 0 && (rest.startsWith("---") || rest.startsWith("..."))) {
                throw RulesException.syntax(number, "one document only.");
            }
            lines.add(new Line(number, indent, rest));
        }
    }

    private Node block(int indent) {
        Line first = lines.get(at);
        return isItem(first.text()) ? items(indent) : entries(indent);
    }

    private static boolean isItem(String text) {
        return text.equals("-") || text.startsWith("- ");
    }

    private Node items(int indent) {
        int number = lines.get(at).number();
        List<Node> items = new ArrayList<>();
        while (at < lines.size() && lines.get(at).indent() == indent) {
            Line line = lines.get(at);
            if (!isItem(line.text())) {
                break;
            }
            String rest = line.text().substring(1).strip();
            if (rest.isEmpty() || rest.startsWith("#")) {
                at++;
                items.add(nested(indent, line.number()));
            } else if (keyEnd(rest) > 0) {
                // "- key: value" opens a mapping that stands where the key stands
                int inner = indent + line.text().indexOf(rest, 1);
                lines.set(at, new Line(line.number(), inner, rest));
                items.add(entries(inner));
            } else {
                items.add(scalarOrFlow(rest, line.number()));
            }
        }
        return new Items(number, List.copyOf(items));
    }

    private Node nested(int indent, int number) {
        if (at >= lines.size() || lines.get(at).indent() <= indent) {
            throw RulesException.syntax(number, "a value is missing.");
        }
        return block(lines.get(at).indent());
    }

    private Node entries(int indent) {
        int number = lines.get(at).number();
        Map<String, Node> entries = new LinkedHashMap<>();
        Map<String, Integer> places = new LinkedHashMap<>();
        while (at < lines.size() && lines.get(at).indent() == indent) {
            Line line = lines.get(at);
            if (isItem(line.text())) {
                break;
            }
            int colon = keyEnd(line.text());
            if (colon <= 0) {
                throw RulesException.syntax(line.number(), "'key: value' is expected here.");
            }
            String key = line.text().substring(0, colon).strip();
            String value = line.text().substring(colon + 1).strip();
            Node node;
            if (value.isEmpty() || value.startsWith("#")) {
                at++;
                node = valueBelow(indent, line.number());
            } else {
                node = scalarOrFlow(value, line.number());
            }
            if (entries.put(key, node) != null) {
                throw RulesException.syntax(line.number(), "'" + key + "' is there twice.");
            }
            places.put(key, line.number());
        }
        return new Entries(number, entries, places);
    }

    // A list may stand at the same indentation as its key.
    private Node valueBelow(int indent, int number) {
        boolean list =
                at < lines.size()
                        && lines.get(at).indent() == indent
                        && isItem(lines.get(at).text());
        return list ? items(indent) : nested(indent, number);
    }

    /** Where the colon after a plain key is; -1 if the text is no entry. */
    private static int keyEnd(String text) {
        int k = 0;
        while (k < text.length()
                && (Character.isLetterOrDigit(text.charAt(k))
                        || "_-".indexOf(text.charAt(k)) >= 0)) {
            k++;
        }
        boolean ends = k > 0 && k < text.length() && text.charAt(k) == ':';
        return ends && (k + 1 == text.length() || text.charAt(k + 1) == ' ') ? k : -1;
    }

    private Node scalarOrFlow(String value, int number) {
        char c = value.charAt(0);
        if (c == '[' || c == '{' || c == '"' || c == '\'') {
            return flow(value, number);
        }
        if ("&*!|>%@`".indexOf(c) >= 0) {
            throw RulesException.syntax(
                    number, "text that begins with '" + c + "' must stand in quotes.");
        }
        at++;
        int comment = value.indexOf(" #");
        String plain = (comment < 0 ? value : value.substring(0, comment)).strip();
        if (plain.contains(": ") || plain.endsWith(":")) {
            throw RulesException.syntax(number, "text with ': ' in it must stand in quotes.");
        }
        return new Scalar(number, plain);
    }

    // A bracket may be closed on a later line: take lines until the value is whole.
    private Node flow(String value, int number) {
        StringBuilder text = new StringBuilder(value);
        at++;
        while (true) {
            RulesFlow flow = new RulesFlow(text.toString(), 0, number);
            try {
                Node node = flow.value();
                flow.end();
                return node;
            } catch (RulesFlow.Unfinished e) {
                boolean spans = value.charAt(0) == '[' || value.charAt(0) == '{';
                if (!spans || at >= lines.size()) {
                    throw RulesException.syntax(number, e.what());
                }
                Line next = lines.get(at++);
                int jump = next.number() - number - count(text.toString(), text.length());
                text.append("\n".repeat(jump)).append(next.text());
            }
        }
    }
}
