package ai.hanzo.dev.zap.schema;

import java.util.ArrayList;
import java.util.List;

/**
 * A word of a schema file.
 *
 * @param indent characters of white space that begin its line (a tab counts 1)
 * @param isFirst whether it is the first token of its line
 */
record Token(Kind kind, String text, int line, int indent, boolean isFirst) {

    enum Kind {
        IDENT,
        NUMBER,
        MARK,
        END
    }

    boolean is(String mark) {
        return (kind == Kind.MARK || kind == Kind.IDENT) && text.equals(mark);
    }

    @Override
    public String toString() {
        return kind == Kind.END ? "the end of the file" : "'" + text + "'";
    }

    /**
     * Cuts a file into tokens; comments begin with # and end with the line. The last one is END.
     */
    static List<Token> cut(String file, String source) {
        var tokens = new ArrayList<Token>();
        List<String> lines = source.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            cutLine(file, lines.get(i), i + 1, tokens);
        }
        tokens.add(new Token(Kind.END, "", Math.max(1, lines.size()), 0, true));
        return tokens;
    }

    private static void cutLine(String file, String line, int number, List<Token> tokens) {
        int indent = 0;
        while (indent < line.length() && Character.isWhitespace(line.charAt(indent))) {
            indent++;
        }
        boolean isFirst = true;
        for (int at = indent; at < line.length(); ) {
            int c = line.codePointAt(at);
            if (c == '#') {
                return;
            }
            if (Character.isWhitespace(c) || (c == 0xFEFF && number == 1 && at == 0)) {
                at += Character.charCount(c);
                continue;
            }
            Kind kind = kindOf(c);
            if (kind == Kind.END) {
                String shown = new StringBuilder().appendCodePoint(c).toString();
                throw new SchemaException(file, number, "unexpected character '" + shown + "'");
            }
            int end = kind == Kind.MARK ? at + 1 : endOf(line, at, kind);
            tokens.add(new Token(kind, line.substring(at, end), number, indent, isFirst));
            isFirst = false;
            at = end;
        }
    }

    private static Kind kindOf(int c) {
        if (c == '_' || Character.isLetter(c)) {
            return Kind.IDENT;
        }
        if (c >= '0' && c <= '9') {
            return Kind.NUMBER;
        }
        return "{}<>[]()@=:".indexOf(c) >= 0 ? Kind.MARK : Kind.END;
    }

    private static int endOf(String line, int at, Kind kind) {
        int end = at;
        while (end < line.length()) {
            int c = line.codePointAt(end);
            boolean isDigit = kind == Kind.NUMBER ? c >= '0' && c <= '9' : Character.isDigit(c);
            boolean isPart = kind == Kind.IDENT && (c == '_' || Character.isLetter(c));
            if (!isDigit && !isPart) {
                break;
            }
            end += Character.charCount(c);
        }
        return end;
    }
}
