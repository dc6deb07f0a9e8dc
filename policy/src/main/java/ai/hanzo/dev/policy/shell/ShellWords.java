package ai.hanzo.dev.policy.shell;

/**
 * Reads words and what is expanded inside them. The lexical half of {@link ShellParser}; one
 * instance a script, one thread. POSIX.1-2024 XCU 2.2, 2.3 and 2.6, and what bash adds.
 */
abstract class ShellWords {

    final String s;

    /**
     * Whether bash reads the script; where it and a plain sh differ, the stricter reading counts.
     */
    final boolean isBash;

    int i;

    ShellWords(String script, boolean isBash) {
        this.s = script;
        this.isBash = isBash;
    }

    /** Thrown where the script cannot be understood; never leaves the package. */
    static final class Unclear extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unclear(String why) {
            super(why, null, false, false);
        }
    }

    /** What {@link #readWord} learns besides the value. */
    static final class Token {
        final StringBuilder text = new StringBuilder();
        Word.Known known = Word.Known.LITERAL;
        boolean quoted;

        /** Offset in {@code text} of an unquoted {@code =} that could make it an assignment. */
        int assignment = -1;

        Word word() {
            return new Word(text.toString(), known);
        }

        void atLeast(Word.Known k) {
            if (k.compareTo(known) > 0) {
                known = k;
            }
        }

        boolean isBare(String word) {
            return !quoted && known == Word.Known.LITERAL && text.toString().contentEquals(word);
        }
    }

    /** Parses a command substitution from {@code i} up to and over its closing parenthesis. */
    abstract void substitution();

    /** Parses the text of a backquoted substitution. */
    abstract void backquoted(String script);

    abstract void arrayLiteral();

    boolean atEnd() {
        return i >= s.length();
    }

    char at(int k) {
        return k < s.length() ? s.charAt(k) : '\0';
    }

    boolean looking(String t) {
        return s.startsWith(t, i);
    }

    /** Spaces, tabs, line continuations and comments. */
    void blanks() {
        while (!atEnd()) {
            char c = s.charAt(i);
            if (c == ' ' || c == '\t') {
                i++;
            } else if (looking("\\\n")) {
                i += 2;
            } else if (c == '#') {
                while (!atEnd() && s.charAt(i) != '\n') {
                    i++;
                }
            } else {
                return;
            }
        }
    }

    static boolean endsWord(char c) {
        return c == '\0' || " \t\n;&|()<>".indexOf(c) >= 0;
    }

    /** A word from {@code i} on; empty text and not quoted if there is none. */
    Token readWord() {
        Token t = new Token();
        while (!atEnd()) {
            char c = s.charAt(i);
            if ((c == '<' || c == '>') && at(i + 1) == '(') {
                i += 2;
                substitution();
                t.text.append("<(…)");
                t.atLeast(Word.Known.ONE);
            } else if (c == '(' && i > 0 && "?*+@!".indexOf(s.charAt(i - 1)) >= 0 && bareGlob(t)) {
                extendedGlob(t);
            } else if (c == '(' && t.assignment == t.text.length() - 1 && t.assignment > 0) {
                i++;
                arrayLiteral();
                t.text.append("(…)");
            } else if (endsWord(c)) {
                return t;
            } else {
                piece(t, c);
            }
        }
        return t;
    }

    private static boolean bareGlob(Token t) {
        return t.known == Word.Known.MANY || t.text.length() > 1;
    }

    private void extendedGlob(Token t) {
        int end = matching(i);
        if (end < 0) {
            throw new Unclear("a parenthesis is not closed");
        }
        i++;
        while (i < end) {
            piece(t, s.charAt(i));
        }
        i = end + 1;
        t.atLeast(Word.Known.MANY);
    }

    private void piece(Token t, char c) {
        switch (c) {
            case '\'' -> singleQuoted(t);
            case '"' -> {
                i++;
                t.quoted = true;
                doubleQuoted(t, '"');
            }
            case '\\' -> escaped(t);
            case '$' -> dollar(t, Word.Known.MANY);
            case '`' -> {
                backquote(false);
                t.text.append("`…`");
                t.atLeast(Word.Known.MANY);
            }
            case '*', '?', '[', '{', '~' -> {
                if (isActive(t, c)) {
                    t.atLeast(c == '~' ? Word.Known.ONE : Word.Known.MANY);
                }
                t.text.append(c);
                i++;
            }
            default -> {
                if (c == '=' && t.assignment < 0 && !t.quoted && t.known == Word.Known.LITERAL) {
                    t.assignment = t.text.length();
                }
                t.text.append(c);
                i++;
            }
        }
    }

    // "{", "[" and "[[" alone are words of the grammar; "{}" is literal; "~" counts where it is
    // first.
    private boolean isActive(Token t, char c) {
        boolean first = t.text.isEmpty() && !t.quoted;
        char next = at(i + 1);
        return switch (c) {
            case '{' -> isBraceExpansion();
            case '[' ->
                    !(first && (endsWord(next) || (next == '[' && endsWord(at(i + 2)))))
                            && !(t.text.toString().equals("[") && endsWord(next));
            case '~' -> first || t.text.charAt(t.text.length() - 1) == '=';
            default -> true;
        };
    }

    private boolean isBraceExpansion() {
        int close = s.indexOf('}', i);
        String inside = close < 0 ? "" : s.substring(i, close);
        return inside.contains(",") || inside.contains("..");
    }

    private void singleQuoted(Token t) {
        int end = s.indexOf('\'', i + 1);
        if (end < 0) {
            throw new Unclear("a quote is not closed");
        }
        String inside = s.substring(i + 1, end);
        if (inside.contains("[$(") || inside.contains("[`")) {
            // as the value of a variable in arithmetic it would run: a='x[$(rm f)]'; echo $((a))
            throw new Unclear("it quotes an index that runs a command");
        }
        t.text.append(inside);
        t.quoted = true;
        i = end + 1;
    }

    private void escaped(Token t) {
        if (i + 1 >= s.length()) {
            throw new Unclear("it ends with a backslash");
        }
        if (s.charAt(i + 1) != '\n') {
            t.text.append(s.charAt(i + 1));
            t.quoted = true;
        }
        i += 2;
    }

    /** Up to and over {@code end}; expansions inside give one word, {@code "$@"} many. */
    void doubleQuoted(Token t, char end) {
        while (true) {
            if (atEnd()) {
                throw new Unclear("a quote is not closed");
            }
            char c = s.charAt(i);
            if (c == end) {
                i++;
                return;
            }
            if (c == '\\' && "$`\"\\\n".indexOf(at(i + 1)) >= 0 && i + 1 < s.length()) {
                if (at(i + 1) != '\n') {
                    t.text.append(at(i + 1));
                }
                i += 2;
            } else if (c == '$') {
                boolean many = looking("$@") || looking("${@") || atArray();
                dollar(t, many ? Word.Known.MANY : Word.Known.ONE);
            } else if (c == '`') {
                backquote(true);
                t.text.append("`…`");
                t.atLeast(Word.Known.ONE);
            } else {
                t.text.append(c);
                i++;
            }
        }
    }

    private boolean atArray() {
        int close = s.indexOf('}', i);
        return looking("${") && close > 0 && s.substring(i, close).contains("[@]");
    }

    /** An expansion that begins at the dollar sign at {@code i}. */
    void dollar(Token t, Word.Known known) {
        int start = i;
        char c = at(i + 1);
        if (c == '(') {
            if (at(i + 2) == '(' && isArithmetic(i + 2)) {
                int end = matching(i + 2);
                i += 3;
                expansionsUpTo(end);
                i = end + 2;
            } else {
                i += 2;
                substitution();
            }
        } else if (c == '{') {
            i += 2;
            braced();
        } else if (c == '\'' && known == Word.Known.MANY) {
            i += 2;
            ansiQuoted(t);
            return;
        } else if (c == '"' && known == Word.Known.MANY) {
            i += 2;
            t.quoted = true;
            t.atLeast(Word.Known.ONE); // translated by the locale
            doubleQuoted(t, '"');
            return;
        } else if (c == '[') {
            throw new Unclear("it has old-style arithmetic");
        } else if (Character.isLetter(c) || c == '_') {
            i += 2;
            while (Character.isLetterOrDigit(at(i)) || at(i) == '_') {
                i++;
            }
        } else if (c != '\0' && (Character.isDigit(c) || "@*#?-$!".indexOf(c) >= 0)) {
            i += 2;
        } else {
            t.text.append('$');
            i++;
            return;
        }
        t.text.append(s, start, Math.min(i, start + 60));
        t.atLeast(known);
    }

    // ${name:-word} and its kin: the word is expanded, so substitutions in it run.
    private void braced() {
        int start = i;
        Token sink = new Token();
        while (true) {
            if (atEnd()) {
                throw new Unclear("a brace is not closed");
            }
            char c = s.charAt(i);
            if (c == '}') {
                if (s.charAt(start) == '!' || s.substring(start, i).contains("@P")) {
                    throw new Unclear("it expands what a variable holds a second time");
                }
                i++;
                return;
            }
            switch (c) {
                case '\'' -> singleOrLiteral(sink);
                case '"' -> {
                    i++;
                    doubleQuoted(sink, '"');
                }
                case '\\' -> escaped(sink);
                case '$' -> dollar(sink, Word.Known.ONE);
                case '`' -> backquote(false);
                default -> i++;
            }
        }
    }

    // Inside "${x:-'$(rm f)'}" quotes do not quote: dash and bash differ, so look at what is in
    // them.
    private void singleOrLiteral(Token sink) {
        int end = s.indexOf('\'', i + 1);
        int close = s.indexOf('}', i + 1);
        if (end < 0 || (close >= 0 && close < end)) {
            i++;
            return;
        }
        if (s.substring(i, end).indexOf('$') >= 0 || s.substring(i, end).indexOf('`') >= 0) {
            throw new Unclear("it has quotes within braces that shells read differently");
        }
        singleQuoted(sink);
    }

    /** Runs over text up to {@code end}, looking for substitutions only. */
    void expansionsUpTo(int end) {
        Token sink = new Token();
        while (i < end) {
            char c = s.charAt(i);
            if (c == '$') {
                dollar(sink, Word.Known.ONE);
            } else if (c == '`') {
                backquote(true);
            } else if (c == '\\') {
                i += 2;
            } else {
                i++;
            }
        }
        if (i != end) {
            throw new Unclear("an expansion runs past its end");
        }
    }

    private void backquote(boolean inQuotes) {
        StringBuilder script = new StringBuilder();
        i++;
        while (true) {
            if (atEnd()) {
                throw new Unclear("a backquote is not closed");
            }
            char c = s.charAt(i++);
            if (c == '`') {
                backquoted(script.toString());
                return;
            }
            if (c == '\\' && !atEnd()) {
                char n = at(i);
                if (n == '`' || n == '\\' || n == '$' || (inQuotes && n == '"')) {
                    script.append(n);
                    i++;
                    continue;
                }
            }
            script.append(c);
        }
    }

    // $'…' of bash and POSIX.1-2024
    private void ansiQuoted(Token t) {
        t.quoted = true;
        while (true) {
            if (atEnd()) {
                throw new Unclear("a quote is not closed");
            }
            char c = s.charAt(i++);
            if (c == '\'') {
                return;
            }
            if (c != '\\') {
                t.text.append(c);
                continue;
            }
            ansiEscape(t);
        }
    }

    private void ansiEscape(Token t) {
        char c = at(i++);
        if (c == '\'' && !isBash) {
            throw new Unclear("it has an escape that shells read differently");
        }
        switch (c) {
            case 'n' -> t.text.append('\n');
            case 't' -> t.text.append('\t');
            case 'r' -> t.text.append('\r');
            case 'a' -> t.text.append('\u0007');
            case 'b' -> t.text.append('\b');
            case 'e', 'E' -> t.text.append('\u001b');
            case 'f' -> t.text.append('\f');
            case 'v' -> t.text.append('\u000b');
            case '\\', '\'', '"', '?' -> t.text.append(c);
            case 'x' -> number(t, 16, 2);
            case 'u' -> number(t, 16, 4);
            case 'U' -> number(t, 16, 8);
            case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                i--;
                number(t, 8, 3);
            }
            default -> throw new Unclear("it has an escape that shells read differently");
        }
    }

    private void number(Token t, int radix, int maxDigits) {
        int value = 0;
        int digits = 0;
        while (digits < maxDigits && Character.digit(at(i), radix) >= 0) {
            value = value * radix + Character.digit(at(i), radix);
            i++;
            digits++;
        }
        if (digits == 0 || value == 0 || !Character.isValidCodePoint(value)) {
            throw new Unclear("it has an escape that shells read differently");
        }
        t.text.appendCodePoint(value);
    }

    /** Whether the parenthesis at {@code open}, itself after one, is closed by two in a row. */
    boolean isArithmetic(int open) {
        int close = matching(open);
        return close > 0 && at(close + 1) == ')';
    }

    /** Where the parenthesis at {@code open} is closed, quotes respected; -1 if it is not. */
    int matching(int open) {
        int level = 0;
        for (int k = open; k < s.length(); k++) {
            char c = s.charAt(k);
            if (c == '\\') {
                k++;
            } else if (c == '\'' || c == '"') {
                int end = s.indexOf(c, k + 1);
                if (end < 0) {
                    return -1;
                }
                k = end;
            } else if (c == '(') {
                level++;
            } else if (c == ')' && --level == 0) {
                return k;
            }
        }
        return -1;
    }
}
