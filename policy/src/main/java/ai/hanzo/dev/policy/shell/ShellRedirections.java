package ai.hanzo.dev.policy.shell;

import java.util.ArrayList;
import java.util.List;

/** Redirections and here-documents: POSIX.1-2024 XCU 2.7. The middle layer of the parser. */
abstract class ShellRedirections extends ShellWords {

    final CommandLine line;
    private final List<HereDocument> pending = new ArrayList<>();

    ShellRedirections(String script, boolean isBash, CommandLine line) {
        super(script, isBash);
        this.line = line;
    }

    private record HereDocument(
            String delimiter, boolean quoted, boolean stripsTabs, Simple owner) {}

    /** A simple command as it is being read; its here-documents come later. */
    static final class Simple {
        final List<Word> words = new ArrayList<>();
        final StringBuilder input = new StringBuilder();
    }

    /** Reports the simple commands whose here-documents have been read. */
    abstract void flush();

    boolean hasNoHereDocumentAhead() {
        return pending.isEmpty();
    }

    boolean isProcessSubstitution() {
        return looking("<(") || looking(">(");
    }

    void redirections() {
        Simple none = new Simple();
        do {
            blanks();
        } while (redirection(none));
    }

    /** Reads one redirection if there is one. */
    boolean redirection(Simple c) {
        int k = i;
        while (Character.isDigit(at(k))) {
            k++;
        }
        if (k == i && at(k) == '{') {
            int close = s.indexOf('}', k);
            if (close > 0 && s.substring(k + 1, close).matches("[A-Za-z_][A-Za-z0-9_]*")) {
                k = close + 1;
            }
        }
        if (at(k) == '&' && at(k + 1) == '>') {
            k++;
        }
        char c0 = at(k);
        if ((c0 != '<' && c0 != '>') || at(k + 1) == '(') {
            return false;
        }
        i = k;
        if (looking("<<<")) {
            i += 3;
            blanks();
            Word word = readWord().word();
            c.input.append(word.isLiteral() ? word.text() : Wrappers.UNKNOWN_INPUT).append('\n');
        } else if (looking("<<")) {
            hereDocumentStart(c);
        } else {
            target();
        }
        return true;
    }

    private void hereDocumentStart(Simple c) {
        i += 2;
        boolean strips = at(i) == '-';
        if (strips) {
            i++;
        }
        blanks();
        int start = i;
        Token t = readWord();
        if (i == start || t.known != Word.Known.LITERAL) {
            throw new Unclear("a here-document has no fixed end");
        }
        pending.add(new HereDocument(t.text.toString(), t.quoted, strips, c));
    }

    private void target() {
        boolean writes = at(i) == '>' || looking("<>");
        boolean duplicates = looking(">&") || looking("<&");
        i += looking(">>") || looking(">|") || looking("<>") || duplicates ? 2 : 1;
        blanks();
        int start = i;
        Word word = readWord().word();
        if (i == start) {
            throw new Unclear("a redirection has no target");
        }
        if (duplicates && word.isLiteral() && word.text().matches("[0-9]*-?")) {
            return;
        }
        if (writes && !isDevice(word)) {
            line.add(Command.of(List.of(Word.literal(">"), single(word))));
        }
    }

    private static Word single(Word word) {
        return word.isLiteral() ? word : Word.one(word.text());
    }

    private static boolean isDevice(Word word) {
        return word.isLiteral() && word.text().matches("/dev/(null|stdout|stderr|tty|fd/[0-9]+)");
    }

    /** Called where a line ends: the bodies of the here-documents that began on it follow. */
    void hereDocuments() {
        List<HereDocument> now = List.copyOf(pending);
        pending.clear();
        for (HereDocument doc : now) {
            int start = i;
            int end = bodyEnd(doc);
            if (doc.quoted()) {
                doc.owner().input.append(s, start, end);
            } else {
                i = start;
                boolean plain =
                        s.substring(start, end).chars().noneMatch(c -> c == '$' || c == '`');
                expansionsUpTo(end);
                doc.owner().input.append(plain ? s.substring(start, end) : Wrappers.UNKNOWN_INPUT);
            }
            i = end;
            int newline = s.indexOf('\n', end);
            i = newline < 0 ? s.length() : newline + 1;
        }
        if (!now.isEmpty()) {
            flush();
        }
    }

    private int bodyEnd(HereDocument doc) {
        int k = i;
        while (k < s.length()) {
            int newline = s.indexOf('\n', k);
            int lineEnd = newline < 0 ? s.length() : newline;
            String text = s.substring(k, lineEnd);
            if ((doc.stripsTabs() ? text.replaceFirst("^\t+", "") : text).equals(doc.delimiter())) {
                return k;
            }
            k = lineEnd + 1;
        }
        return s.length();
    }
}
