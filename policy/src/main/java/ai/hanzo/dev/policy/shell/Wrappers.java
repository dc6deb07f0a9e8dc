package ai.hanzo.dev.policy.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reports a command and, if it is one that runs others, those too. Pure. */
final class Wrappers {

    /** Stands in a command's input for what is not known. */
    static final String UNKNOWN_INPUT = "\u0000";

    private static final Set<String> SHELLS =
            Set.of("sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "rbash");
    private static final Set<String> BASH_LIKE = Set.of("bash", "rbash", "zsh", "ksh", "mksh");

    /**
     * A command that runs the command in its arguments.
     *
     * @param valued options whose value is the next word, or is joined to them
     * @param flags options without a value
     * @param operands how many words of its own stand before the command
     */
    private record Prefix(Set<String> valued, Set<String> flags, int operands) {}

    /**
     * GNU coreutils 9, util-linux 2.38, findutils 4.9, sudo 1.9. An option that is not here is
     * unclear.
     */
    private static final Map<String, Prefix> PREFIXES =
            Map.ofEntries(
                    prefix("env", "-u --unset -C --chdir", "- -i -0 -v --ignore-environment", 0),
                    prefix("nice", "-n --adjustment", "", 0),
                    prefix(
                            "timeout",
                            "-s --signal -k --kill-after",
                            "-v --verbose --foreground --preserve-status",
                            1),
                    prefix("nohup", "", "", 0),
                    prefix("setsid", "", "-c -f -w --ctty --fork --wait", 0),
                    prefix("stdbuf", "-i -o -e --input --output --error", "", 0),
                    prefix("ionice", "-c -n --class --classdata", "-t --ignore", 0),
                    prefix("chrt", "", "-b -f -i -o -r", 1),
                    prefix("taskset", "", "-c --cpu-list", 1),
                    prefix("time", "-f -o --format --output", "-p -v -a -q", 0),
                    prefix("command", "", "-p", 0),
                    prefix("builtin", "", "", 0),
                    prefix("exec", "-a", "-c -l", 0),
                    prefix("sudo", "-u -g -h -p -C -D -R -T -U", "-n -E -H -k -S -b -A -P -B", 0),
                    prefix("doas", "-u -C", "-n", 0),
                    prefix("busybox", "", "", 0),
                    prefix("toybox", "", "", 0),
                    prefix(
                            "strace",
                            "-e -o -s -u -E -P -a -O",
                            "-f -ff -q -c -C -t -tt -T -v -y",
                            0),
                    prefix("ltrace", "-e -o -s -u -l -a -n -x", "-f -c -S -t -tt", 0),
                    prefix("setpriv", "", "", 0),
                    prefix("unshare", "", "-m -n -p -f -r -u -i -U -C", 0),
                    prefix("chroot", "", "", 1),
                    prefix("flock", "-w --timeout -E", "-n -x -s -e -u -o --nonblock --nb", 1),
                    prefix(
                            "xargs",
                            "-I -n -L -P -s -d -E -a --max-args --max-lines --max-procs --max-chars"
                                    + " --delimiter --arg-file --process-slot-var",
                            "-0 -r -t -p -x -o -i --null --no-run-if-empty --verbose --interactive"
                                    + " --exit --open-tty --replace",
                            0));

    private static Map.Entry<String, Prefix> prefix(
            String name, String valued, String flags, int operands) {
        return Map.entry(
                name, new Prefix(Set.of(valued.split(" ")), Set.of(flags.split(" ")), operands));
    }

    private Wrappers() {}

    /**
     * Reports {@code words} and all that they run.
     *
     * @param input what the command reads as its standard input, as far as the line tells
     */
    static void unfold(List<Word> words, String input, CommandLine line, int depth) {
        Word head = words.getFirst();
        String text = words.stream().map(Word::text).collect(Collectors.joining(" "));
        if (depth > CommandLine.MAX_DEPTH) {
            line.add(Command.any(text, "commands are nested too deep"));
            return;
        }
        if (!head.isLiteral()) {
            line.add(Command.any(text, "the command's name is not known before it runs"));
            return;
        }
        String name = Names.base(head.text());
        List<Word> args = words.subList(1, words.size());
        Command itself = Command.of(words);
        if (SHELLS.contains(name)) {
            shell(itself, name, args, input, line, depth);
            return;
        }
        switch (name) {
            case "eval" -> eval(itself, args, line, depth);
            case "trap" -> trap(itself, args, line, depth);
            case ".", "source" -> line.add(itself.runsUnseen("it runs a file"));
            case "alias", "hash", "enable", "unalias" -> {
                line.add(itself);
                if (!args.isEmpty()) {
                    line.add(Command.any(text, "it changes which program a name stands for"));
                }
            }
            case "export",
                    "declare",
                    "typeset",
                    "readonly",
                    "local",
                    "read",
                    "getopts",
                    "unset",
                    "printf",
                    "mapfile",
                    "readarray",
                    "set",
                    "shopt" -> {
                line.add(itself);
                variables(name, args, text, line);
            }
            case "find", "fd", "fdfind" -> {
                line.add(itself);
                Finds.inner(name, args, line, depth);
            }
            case "git" -> line.add(Gits.plain(itself, args));
            case "watch" -> {
                line.add(itself);
                joined(afterOptions(args, Set.of("-n", "--interval")), line, depth);
            }
            case "script", "su", "runuser" -> {
                line.add(itself);
                optionScript(args, line, depth);
            }
            case "parallel", "rush", "entr", "at", "batch", "crontab", "systemd-run" ->
                    line.add(itself.runsUnseen("it runs other commands"));
            default -> {
                line.add(itself);
                prefixed(name, args, line, depth);
            }
        }
    }

    private static void shell(
            Command itself,
            String name,
            List<Word> args,
            String input,
            CommandLine line,
            int depth) {
        int k = 0;
        boolean script = false;
        while (k < args.size()) {
            Word w = args.get(k);
            if (!w.isLiteral()) {
                line.add(Command.any(itself.text(), "the shell's arguments are not known"));
                return;
            }
            String t = w.text();
            if (t.matches("--(rcfile|init-file)")) {
                line.add(Command.any(itself.text(), "the shell reads a file first"));
                return;
            }
            if (t.matches("[-+][a-zA-Z]*[oO]")) {
                script |= t.matches("-[a-zA-Z]*c[a-zA-Z]*");
                k += 2;
            } else if (t.matches("-[a-zA-Z]+")) {
                script |= t.contains("c");
                k++;
            } else if (t.equals("--") || t.equals("-")) {
                k++;
                break;
            } else if (t.matches("--[a-z-]+|\\+[a-zA-Z]+")) {
                k++;
            } else {
                break;
            }
        }
        boolean isBash = BASH_LIKE.contains(name);
        if (!script) {
            boolean reads = k >= args.size();
            line.add(itself.runsUnseen("the shell reads its commands from a file or its input"));
            if (reads && !input.isEmpty() && !input.contains(UNKNOWN_INPUT)) {
                line.script(input, isBash, depth + 1);
            }
        } else if (k < args.size() && args.get(k).isLiteral()) {
            if (Names.isOwnPath(itself.words().getFirst().text())) {
                line.add(itself);
            }
            line.script(args.get(k).text(), isBash, depth + 1);
        } else {
            line.add(Command.any(itself.text(), "the script is not known before it runs"));
        }
    }

    private static void eval(Command itself, List<Word> args, CommandLine line, int depth) {
        if (args.isEmpty() || args.stream().allMatch(Word::isLiteral)) {
            joined(args, line, depth);
        } else {
            line.add(Command.any(itself.text(), "what is evaluated is not known before it runs"));
        }
    }

    private static void joined(List<Word> args, CommandLine line, int depth) {
        String script = args.stream().map(Word::text).collect(Collectors.joining(" "));
        if (args.stream().allMatch(Word::isLiteral)) {
            line.script(script, /* isBash= */ false, depth + 1);
        } else {
            line.add(Command.any(script, "what is run is not known before it runs"));
        }
    }

    private static void trap(Command itself, List<Word> args, CommandLine line, int depth) {
        line.add(itself);
        List<Word> rest = afterOptions(args, Set.of());
        if (rest.size() > 1 || rest.stream().anyMatch(w -> !w.isLiteral())) {
            joined(rest.subList(0, 1), line, depth);
        }
    }

    private static void variables(String name, List<Word> args, String text, CommandLine line) {
        boolean options = name.equals("set") || name.equals("shopt");
        for (Word w : options ? List.<Word>of() : args) {
            String variable = w.text().replaceFirst("\\+?=.*", "").replaceFirst("\\[.*", "");
            boolean prints = name.equals("printf") && !args.getFirst().text().startsWith("-v");
            if (!prints
                    && (Names.changesLookup(variable)
                            || (w.known() == Word.Known.MANY && !name.equals("unset")))) {
                line.add(Command.any(text, "it may change which program a name stands for"));
                return;
            }
        }
    }

    private static void optionScript(List<Word> args, CommandLine line, int depth) {
        for (int k = 0; k < args.size(); k++) {
            Word w = args.get(k);
            String t = w.text();
            if (!w.isLiteral()) {
                line.add(Command.any(t, "what is run is not known before it runs"));
            } else if (t.equals("--command") || t.matches("-[a-z]*c")) {
                joined(
                        args.subList(Math.min(k + 1, args.size()), Math.min(k + 2, args.size())),
                        line,
                        depth);
            } else if (t.startsWith("--command=")) {
                line.script(t.substring("--command=".length()), /* isBash= */ false, depth + 1);
            }
        }
    }

    private static List<Word> afterOptions(List<Word> args, Set<String> valued) {
        int k = 0;
        while (k < args.size() && args.get(k).isLiteral() && args.get(k).text().startsWith("-")) {
            String t = args.get(k++).text();
            if (t.equals("--")) {
                break;
            }
            if (valued.contains(t)) {
                k++;
            }
        }
        return args.subList(Math.min(k, args.size()), args.size());
    }

    private static void prefixed(String name, List<Word> args, CommandLine line, int depth) {
        Prefix prefix = PREFIXES.get(name);
        if (prefix == null) {
            return;
        }
        if (name.equals("command") && !args.isEmpty() && args.getFirst().text().matches("-[vV]+")) {
            return;
        }
        int k = 0;
        while (k < args.size() && args.get(k).text().matches("-.*|\\+[0-9]+")) {
            int taken = option(prefix, args.get(k).text());
            if (taken == 0 || !args.get(k).isLiteral()) {
                line.add(
                        Command.any(
                                name + " " + args.get(k).text(),
                                "an option of " + name + " hides what it runs"));
                return;
            }
            k += taken;
            if (args.get(k - 1).text().equals("--")) {
                break;
            }
        }
        int command = Math.min(k + prefix.operands(), args.size());
        if (args.subList(k, command).stream().anyMatch(w -> w.known() == Word.Known.MANY)) {
            line.add(Command.any(name, "an argument of " + name + " hides what it runs"));
            return;
        }
        k = command;
        List<Word> rest = args.subList(k, args.size());
        if (Set.of("env", "sudo", "doas").contains(name)) {
            rest = afterAssignments(rest, line);
        }
        if (name.equals("xargs")) {
            rest = appended(args, rest);
        }
        if (!rest.isEmpty()) {
            unfold(rest, "", line, depth + 1);
        }
    }

    /** How many words the option takes; 0 if it is not known. */
    private static int option(Prefix prefix, String t) {
        if (t.equals("--") || prefix.flags().contains(t)) {
            return 1;
        }
        if (prefix.valued().contains(t)) {
            return 2;
        }
        if (t.startsWith("--")) {
            int equals = t.indexOf('=');
            boolean known =
                    equals > 0
                            && (prefix.valued().contains(t.substring(0, equals))
                                    || prefix.flags().contains(t.substring(0, equals)));
            return known ? 1 : 0;
        }
        boolean joined = t.length() > 2 && prefix.valued().contains(t.substring(0, 2));
        boolean number = t.matches("-[0-9]+") && prefix.valued().contains("--adjustment");
        boolean flags =
                t.substring(1).chars().allMatch(c -> prefix.flags().contains("-" + (char) c));
        return joined || number || flags ? 1 : 0;
    }

    private static List<Word> afterAssignments(List<Word> words, CommandLine line) {
        int k = 0;
        while (k < words.size() && words.get(k).text().matches("(?s)[A-Za-z_][A-Za-z0-9_]*=.*")) {
            String name = words.get(k).text().replaceFirst("(?s)=.*", "");
            if (Names.changesLookup(name)) {
                line.add(Command.any(name, name + " changes which program a name stands for"));
            }
            k++;
        }
        return words.subList(k, words.size());
    }

    /** xargs: with -I its marker is one unknown word; without, unknown words follow. */
    private static List<Word> appended(List<Word> args, List<Word> inner) {
        if (inner.isEmpty()) {
            return inner;
        }
        List<Word> words = new ArrayList<>();
        String marker = marker(args.subList(0, args.size() - inner.size()));
        for (Word w : inner) {
            boolean filled = !marker.isEmpty() && w.text().contains(marker);
            words.add(filled ? Word.one(w.text()) : w);
        }
        if (marker.isEmpty()) {
            words.add(Word.many("…"));
        }
        return words;
    }

    private static String marker(List<Word> options) {
        for (int k = 0; k < options.size(); k++) {
            String t = options.get(k).text();
            if (t.equals("-I") && k + 1 < options.size()) {
                return options.get(k + 1).text();
            }
            if (t.startsWith("-I") || (t.startsWith("-i") && t.length() > 2)) {
                return t.substring(2);
            }
            if (t.startsWith("--replace=")) {
                return t.substring("--replace=".length());
            }
            if (t.equals("-i") || t.equals("--replace")) {
                return "{}";
            }
        }
        return "";
    }
}
