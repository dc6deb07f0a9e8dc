package ai.hanzo.dev.host;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a session does in the crash tests: in each turn an action of every kind, and each effect
 * leaves a mark of its own in the workspace, one line or one thing each time that it runs.
 */
final class CrashScript {
    /** Only approved; and a second time it fails, which would show. */
    static final String RULES =
            """
            version: 1
            name: crash
            extends: workspace
            rules:
              - {name: gate, op: exec, argv: mkdir **, verdict: require_client_approval}
            """;

    /** Commands of a turn. */
    static final int EXECS = 5;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ArrayNode steps = JSON.createArrayNode();

    /** The replies of so many turns. */
    static String turns(int turns) {
        var script = new CrashScript();
        for (int turn = 1; turn <= turns; turn++) {
            script.turn(turn);
        }
        return script.steps.toString();
    }

    /** What the command {@code name} of a turn leaves a line in. */
    static String mark(String name, int turn) {
        return name + "-" + turn;
    }

    private void turn(int turn) {
        ArrayNode batch = step("");
        exec(batch, line("a", turn, ""));
        exec(batch, line("b", turn, "sleep 0.2; "));
        exec(batch, line("c", turn, ""));
        call(step(""), "write", "path", mark("w", turn), "text", "written in turn " + turn + "\n");
        call(
                step(""),
                "patch",
                "patch",
                "*** Begin Patch\n*** Add File: "
                        + mark("p", turn)
                        + "\n+patched in turn "
                        + turn
                        + "\n*** End Patch\n");
        ObjectNode commit = JSON.createObjectNode();
        commit.putArray("argv").add("commit").add("--allow-empty").add("-m").add("turn-" + turn);
        call(step(""), "git", commit);
        ArrayNode looks = step("");
        call(looks, "read", "path", "hello.txt");
        call(looks, "list", "path", ".");
        call(looks, "search", "pattern", "hello");
        ObjectNode gate = JSON.createObjectNode();
        gate.putArray("argv").add("mkdir").add(mark("d", turn));
        call(step(""), "exec", gate);
        call(step(""), "ask", "question", "Go on after turn " + turn + "?");
        exec(step(""), line("e", turn, ""));
        step("Turn " + turn + " is done.");
    }

    private static String line(String name, int turn, String before) {
        return before + "echo x >> " + mark(name, turn);
    }

    private ArrayNode step(String text) {
        ObjectNode step = steps.addObject().put("text", text);
        return step.putArray("calls");
    }

    private static void exec(ArrayNode calls, String line) {
        ObjectNode arguments = JSON.createObjectNode();
        arguments.putArray("argv").add("sh").add("-c").add(line);
        call(calls, "exec", arguments);
    }

    private static void call(ArrayNode calls, String tool, String... namesAndValues) {
        ObjectNode arguments = JSON.createObjectNode();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            arguments.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        call(calls, tool, arguments);
    }

    private static void call(ArrayNode calls, String tool, ObjectNode arguments) {
        calls.addObject().put("tool", tool).set("args", arguments);
    }
}
