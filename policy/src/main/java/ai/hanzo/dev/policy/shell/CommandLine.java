package ai.hanzo.dev.policy.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * All commands that an argument vector could run: itself, or, if it is a shell with {@code -c},
 * those of the script; and what wrappers such as {@code env} and {@code xargs} run in turn. Pure.
 */
public final class CommandLine {

    /** Nested substitutions and wrappers beyond this are not followed: the line is unclear. */
    static final int MAX_DEPTH = 64;

    /** A longer script is not read: it is unclear. */
    static final int MAX_CHARS = 128 * 1024;

    /** More commands in one line than this: unclear. */
    static final int MAX_COMMANDS = 4096;

    private final List<Command> found = new ArrayList<>();

    private CommandLine() {}

    /**
     * Takes an argument vector apart.
     *
     * @param env variables set for the command by its caller
     */
    public static List<Command> commandsOf(List<String> argv, Map<String, String> env) {
        CommandLine line = new CommandLine();
        if (argv.isEmpty()) {
            return List.of(Command.any("", "there is no command"));
        }
        for (String name : env.keySet()) {
            if (Names.changesLookup(name)) {
                line.add(Command.any(name, name + " changes which program a name stands for"));
            }
        }
        Wrappers.unfold(argv.stream().map(Word::literal).toList(), "", line, 0);
        return List.copyOf(line.found);
    }

    void add(Command command) {
        if (found.size() < MAX_COMMANDS) {
            found.add(command);
        } else if (found.size() == MAX_COMMANDS) {
            found.add(Command.any("…", "there are too many commands"));
        }
    }

    /** Adds the commands of a script. */
    void script(String script, boolean isBash, int depth) {
        if (depth >= MAX_DEPTH || script.length() > MAX_CHARS) {
            add(Command.any("…", "the script is too long or nested too deep"));
            return;
        }
        new ShellParser(script, isBash, this, depth).parse();
    }
}
