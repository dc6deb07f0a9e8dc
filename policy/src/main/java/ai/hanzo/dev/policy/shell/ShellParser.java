package ai.hanzo.dev.policy.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Walks a shell script and reports every simple command in it. Grammar of POSIX.1-2024 XCU 2.9 and
 * 2.10 and bash's additions; what it does not know makes the whole script unclear, never silently
 * smaller. One thread.
 */
final class ShellParser extends ShellRedirections {

    private static final Set<String> CLOSERS =
            Set.of("then", "elif", "else", "fi", "do", "done", "esac", "}");

    private int depth;

    ShellParser(String script, boolean isBash, CommandLine line, int depth) {
        super(script, isBash, line);
        this.depth = depth;
    }

    private final List<Simple> waiting = new ArrayList<>();

    void parse() {
        try {
            if (s.indexOf('\0') >= 0) {
                throw new Unclear("there is a NUL in it");
            }
            list();
            if (!atEnd()) {
                throw new Unclear("it has '" + s.charAt(i) + "' where no command can stand");
            }
            hereDocuments();
            flush();
        } catch (Unclear e) {
            waiting.forEach(w -> Wrappers.unfold(w.words, "", line, depth + 1));
            line.add(Command.any(clip(s), "the line is not understood: " + e.getMessage()));
        }
    }

    private static String clip(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }

    @Override
    void flush() {
        List<Simple> ready = List.copyOf(waiting);
        waiting.clear();
        for (Simple c : ready) {
            Wrappers.unfold(c.words, c.input.toString(), line, depth + 1);
        }
    }

    private void deeper() {
        if (++depth > CommandLine.MAX_DEPTH) {
            throw new Unclear("it is nested too deep");
        }
    }

    @Override
    void substitution() {
        deeper();
        list();
        expect(')');
        depth--;
    }

    @Override
    void backquoted(String script) {
        line.script(script, isBash, depth + 1);
    }

    @Override
    void arrayLiteral() {
        while (true) {
            blanks();
            if (at(i) == '\n') {
                i++;
            } else if (at(i) == ')') {
                i++;
                return;
            } else {
                int before = i;
                readWord();
                if (i == before) {
                    throw new Unclear("an array is not closed");
                }
            }
        }
    }

    private void expect(char c) {
        if (at(i) != c) {
            throw new Unclear("'" + c + "' is missing");
        }
        i++;
    }

    /** Commands up to a closing word, a closing parenthesis, {@code ;;} or the end. */
    private void list() {
        while (true) {
            separators();
            if (atEnd() || at(i) == ')' || looking(";;") || looking(";&")) {
                return;
            }
            if (CLOSERS.contains(peekWord())) {
                return;
            }
            int before = i;
            command();
            if (i == before) {
                throw new Unclear("it has '" + s.charAt(i) + "' where no command can stand");
            }
        }
    }

    private void separators() {
        while (true) {
            blanks();
            char c = at(i);
            if (atEnd() || looking(";;") || looking(";&")) {
                return;
            }
            if (c == '\n') {
                i++;
                hereDocuments();
            } else if (looking("&>")) {
                return;
            } else if (c == ';' || c == '&' || c == '|') {
                i++;
            } else {
                return;
            }
        }
    }

    /** The word ahead if it has no quotes and no expansions, else empty. */
    private String peekWord() {
        int k = i;
        while (k < s.length() && !endsWord(s.charAt(k))) {
            if ("'\"\\$`".indexOf(s.charAt(k)) >= 0) {
                return "";
            }
            k++;
        }
        return s.substring(i, k);
    }

    private void command() {
        deeper();
        blanks();
        if (at(i) == '(') {
            parenthesis();
        } else {
            String word = peekWord();
            switch (word) {
                case "if" -> ifClause();
                case "while", "until" -> {
                    take(word);
                    list();
                    doGroup();
                }
                case "for", "select" -> forClause(word);
                case "case" -> caseClause();
                case "{" -> {
                    take("{");
                    list();
                    closeWith("}");
                    redirections();
                }
                case "!" -> {
                    take("!");
                    nextCommand();
                }
                case "time" -> {
                    take("time");
                    blanks();
                    if (peekWord().equals("-p")) {
                        take("-p");
                    }
                    nextCommand();
                }
                case "function" -> {
                    if (!isBash) {
                        throw new Unclear("'function' is read differently by a plain sh");
                    }
                    take("function");
                    blanks();
                    readWord();
                    functionBody();
                }
                case "coproc" -> throw new Unclear("it has a coprocess");
                case "[[" -> {
                    if (isBash) {
                        test();
                    } else {
                        simple(); // a plain sh runs what follows "&&" in it
                    }
                }
                case "then", "elif", "else", "fi", "do", "done", "esac", "}" ->
                        throw new Unclear("'" + word + "' stands alone");
                default -> simple();
            }
        }
        depth--;
    }

    // "!" and "time" may stand alone
    private void nextCommand() {
        blanks();
        if (!atEnd() && "\n;&|)".indexOf(at(i)) < 0) {
            command();
        }
    }

    private void take(String word) {
        i += word.length();
    }

    private void closeWith(String word) {
        blanks();
        if (!peekWord().equals(word)) {
            throw new Unclear("'" + word + "' is missing");
        }
        take(word);
    }

    private void parenthesis() {
        // In bash and ksh "((" is arithmetic; a plain sh runs it as a subshell in a subshell.
        if (isBash && at(i + 1) == '(' && isArithmetic(i + 1)) {
            int end = matching(i + 1);
            i += 2;
            expansionsUpTo(end);
            i = end + 2;
        } else {
            i++;
            list();
            expect(')');
        }
        redirections();
    }

    private void ifClause() {
        take("if");
        list();
        closeWith("then");
        list();
        while (peekWord().equals("elif")) {
            take("elif");
            list();
            closeWith("then");
            list();
        }
        if (peekWord().equals("else")) {
            take("else");
            list();
        }
        closeWith("fi");
        redirections();
    }

    private void doGroup() {
        closeWith("do");
        list();
        closeWith("done");
        redirections();
    }

    private void forClause(String word) {
        take(word);
        blanks();
        if (looking("((")) {
            int end = matching(i + 1);
            if (end < 0 || at(end + 1) != ')') {
                throw new Unclear("a loop's head is not closed");
            }
            i += 2;
            expansionsUpTo(end);
            i = end + 2;
        } else {
            if (Names.changesLookup(readWord().text.toString())) {
                throw new Unclear("a loop changes which program a name stands for");
            }
            newlines();
            if (peekWord().equals("in")) {
                take("in");
                words();
            }
        }
        separators();
        if (peekWord().equals("{")) {
            take("{");
            list();
            closeWith("}");
            redirections();
        } else {
            doGroup();
        }
    }

    private void newlines() {
        blanks();
        while (at(i) == '\n' && !atEnd()) {
            i++;
            hereDocuments();
            blanks();
        }
    }

    private void words() {
        blanks();
        while (!atEnd() && (!endsWord(at(i)) || isProcessSubstitution())) {
            readWord();
            blanks();
        }
    }

    private void caseClause() {
        take("case");
        blanks();
        readWord();
        newlines();
        closeWith("in");
        newlines();
        while (!peekWord().equals("esac")) {
            if (at(i) == '(') {
                i++;
            }
            pattern();
            list();
            if (looking(";;&")) {
                i += 3;
            } else if (looking(";;") || looking(";&")) {
                i += 2;
            } else if (!peekWord().equals("esac")) {
                throw new Unclear("'esac' is missing");
            }
            newlines();
        }
        take("esac");
        redirections();
    }

    private void pattern() {
        while (true) {
            blanks();
            int before = i;
            readWord();
            if (i == before) {
                throw new Unclear("a pattern of 'case' is missing");
            }
            blanks();
            if (at(i) == '|') {
                i++;
            } else {
                expect(')');
                return;
            }
        }
    }

    // [[ … ]]: words, operators and parentheses; only what is expanded in them can run anything
    private void test() {
        take("[[");
        while (true) {
            blanks();
            if (atEnd()) {
                throw new Unclear("']]' is missing");
            }
            if (peekWord().equals("]]")) {
                take("]]");
                redirections();
                return;
            }
            if (endsWord(at(i)) && !isProcessSubstitution()) {
                i++;
            } else {
                readWord();
            }
        }
    }

    private void functionBody() {
        blanks();
        if (at(i) == '(') {
            i++;
            blanks();
            expect(')');
        }
        newlines();
        command();
    }

    private void simple() {
        Simple c = new Simple();
        while (true) {
            blanks();
            if (atEnd()) {
                break;
            }
            if (redirection(c)) {
                continue;
            }
            if (endsWord(at(i)) && !isProcessSubstitution()) {
                if (at(i) == '(') {
                    if (c.words.size() == 1 && c.words.getFirst().isLiteral()) {
                        functionBody();
                        return;
                    }
                    throw new Unclear("it has '(' where none can stand");
                }
                break;
            }
            Token t = readWord();
            if (!(c.words.isEmpty() && isAssignment(t))) {
                c.words.add(t.word());
            }
        }
        if (!c.words.isEmpty()) {
            waiting.add(c);
            if (hasNoHereDocumentAhead()) {
                flush();
            }
        }
    }

    private boolean isAssignment(Token t) {
        if (t.assignment <= 0) {
            return false;
        }
        String name = t.text.substring(0, t.assignment);
        if (name.endsWith("+")) {
            name = name.substring(0, name.length() - 1);
        }
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*(\\[[^\\]]*\\])?")) {
            return false;
        }
        if (Names.changesLookup(name)) {
            line.add(Command.any(name, name + " changes which program a name stands for"));
        }
        return true;
    }
}
