package ai.hanzo.dev.policy.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What find and fd run, delete and write. */
final class Finds {

    private static final Set<String> RUNS =
            Set.of("-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch");

    private Finds() {}

    static void inner(String name, List<Word> args, CommandLine line, int depth) {
        for (int k = 0; k < args.size(); k++) {
            String t = args.get(k).text();
            if (args.get(k).known() == Word.Known.MANY && !looksLikePath(t)) {
                line.add(Command.any(name, "the arguments of " + name + " are not known"));
            } else if (RUNS.contains(t)) {
                k = command(args, k + 1, line, depth);
            } else if (t.equals("-delete")) {
                line.add(Command.of(List.of(Word.literal("rm"), Word.many("…"))));
            } else if (t.startsWith("-fprint") || t.equals("-fls")) {
                Word file = k + 1 < args.size() ? args.get(k + 1) : Word.one("…");
                line.add(Command.of(List.of(Word.literal(">"), file)));
            } else if (t.startsWith("--exec=") || t.startsWith("--exec-batch=")) {
                line.add(Command.any(t, name + " runs a command"));
            }
        }
    }

    // A glob such as src/*.c gives names of files; only one that begins with "-" could be an
    // option.
    private static boolean looksLikePath(String text) {
        return !text.isEmpty()
                && (Character.isLetterOrDigit(text.charAt(0)) || "./".indexOf(text.charAt(0)) >= 0);
    }

    private static int command(List<Word> args, int from, CommandLine line, int depth) {
        List<Word> words = new ArrayList<>();
        int k = from;
        for (; k < args.size(); k++) {
            Word w = args.get(k);
            if (w.text().equals(";") || (w.text().equals("+") && endsWithFiles(words))) {
                break;
            }
            boolean filled = w.text().contains("{}");
            words.add(filled ? Word.one(w.text()) : w);
        }
        if (!words.isEmpty()) {
            Wrappers.unfold(words, "", line, depth + 1);
        }
        return k;
    }

    private static boolean endsWithFiles(List<Word> words) {
        return !words.isEmpty() && words.getLast().text().equals("{}");
    }
}
