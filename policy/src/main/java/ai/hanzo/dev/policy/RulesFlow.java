package ai.hanzo.dev.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lists in brackets, mappings in braces and quoted text: JSON, and YAML's flow style. */
final class RulesFlow {

    private static final int MAX_DEPTH = 20;

    /** The text ends within a value. */
    static final class Unfinished extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unfinished(String what) {
            super(what, null, false, false);
        }

        String what() {
            return String.valueOf(getMessage());
        }
    }

    private final String s;
    private int i;
    private int line;
    private int depth;

    RulesFlow(String text, int from, int line) {
        this.s = text;
        this.i = from;
        this.line = line;
    }

    RulesText.Node value() {
        blanks();
        need("a value is missing.");
        if (++depth > MAX_DEPTH) {
            throw RulesException.syntax(line, "it is nested too deep.");
        }
        RulesText.Node node =
                switch (s.charAt(i)) {
                    case '[' -> items();
                    case '{' -> entries();
                    case '"', '\'' -> new RulesText.Scalar(line, quoted());
                    default -> plain();
                };
        depth--;
        return node;
    }

    /** Nothing but blanks and a comment may follow. */
    void end() {
        blanks();
        if (i < s.length()) {
            throw RulesException.syntax(line, "'" + s.charAt(i) + "' is not expected here.");
        }
    }

    private void need(String what) {
        if (i >= s.length()) {
            throw new Unfinished(what);
        }
    }

    private void blanks() {
        while (i < s.length()) {
            char c = s.charAt(i);
            if (c == '#' && (i == 0 || Character.isWhitespace(s.charAt(i - 1)))) {
                while (i < s.length() && s.charAt(i) != '\n') {
                    i++;
                }
            } else if (Character.isWhitespace(c)) {
                line += c == '\n' ? 1 : 0;
                i++;
            } else {
                return;
            }
        }
    }

    private RulesText.Node items() {
        int start = line;
        List<RulesText.Node> items = new ArrayList<>();
        i++;
        while (!closes(']')) {
            items.add(value());
            separator(']');
        }
        return new RulesText.Items(start, List.copyOf(items));
    }

    private RulesText.Node entries() {
        int start = line;
        Map<String, RulesText.Node> entries = new LinkedHashMap<>();
        Map<String, Integer> places = new LinkedHashMap<>();
        i++;
        while (!closes('}')) {
            int place = line;
            String key = s.charAt(i) == '"' || s.charAt(i) == '\'' ? quoted() : plain().text();
            blanks();
            need("'}' is missing.");
            if (s.charAt(i) != ':') {
                throw RulesException.syntax(line, "':' is missing after '" + key + "'.");
            }
            i++;
            if (entries.put(key, value()) != null) {
                throw RulesException.syntax(place, "'" + key + "' is there twice.");
            }
            places.put(key, place);
            separator('}');
        }
        return new RulesText.Entries(start, entries, places);
    }

    private boolean closes(char close) {
        blanks();
        need("'" + close + "' is missing.");
        if (s.charAt(i) == close) {
            i++;
            return true;
        }
        return false;
    }

    private void separator(char close) {
        blanks();
        need("'" + close + "' is missing.");
        if (s.charAt(i) == ',') {
            i++;
        } else if (s.charAt(i) != close) {
            throw RulesException.syntax(line, "',' or '" + close + "' is expected here.");
        }
    }

    private RulesText.Scalar plain() {
        int start = i;
        while (i < s.length() && ",[]{}\n\"'#".indexOf(s.charAt(i)) < 0 && !isColon()) {
            i++;
        }
        String text = s.substring(start, i).strip();
        if (text.isEmpty() || "&*!|>%@`".indexOf(text.charAt(0)) >= 0) {
            throw RulesException.syntax(line, "text like '" + text + "' must stand in quotes.");
        }
        return new RulesText.Scalar(line, text);
    }

    private boolean isColon() {
        return s.charAt(i) == ':' && (i + 1 == s.length() || " \n".indexOf(s.charAt(i + 1)) >= 0);
    }

    private String quoted() {
        char quote = s.charAt(i++);
        StringBuilder text = new StringBuilder();
        while (true) {
            need("a quote is not closed.");
            char c = s.charAt(i++);
            if (c == quote) {
                boolean doubled = quote == '\'' && i < s.length() && s.charAt(i) == '\'';
                if (!doubled) {
                    return text.toString();
                }
                i++;
            }
            if (c == '\n') {
                throw RulesException.syntax(line, "a quote is not closed.");
            }
            if (c == '\\' && quote == '"') {
                escape(text);
            } else {
                text.append(c);
            }
        }
    }

    private void escape(StringBuilder text) {
        need("a quote is not closed.");
        char c = s.charAt(i++);
        switch (c) {
            case '"', '\\', '/' -> text.append(c);
            case 'n' -> text.append('\n');
            case 't' -> text.append('\t');
            case 'r' -> text.append('\r');
            case 'b' -> text.append('\b');
            case 'f' -> text.append('\f');
            case 'u' -> {
                String hex = s.substring(i, Math.min(i + 4, s.length()));
                if (!hex.matches("[0-9a-fA-F]{4}")) {
                    throw RulesException.syntax(line, "'\\u' needs four hexadecimal digits.");
                }
                text.append((char) Integer.parseInt(hex, 16));
                i += 4;
            }
            default -> throw RulesException.syntax(line, "'\\" + c + "' is no escape.");
        }
    }
}
