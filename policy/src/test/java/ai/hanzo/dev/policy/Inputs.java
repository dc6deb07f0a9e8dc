package ai.hanzo.dev.policy;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.ActionId;
import java.util.List;
import java.util.Optional;

/** Short ways to write actions in tests. */
final class Inputs {

    static final Facts FACTS = Facts.of("/home/ada/project");

    private Inputs() {}

    static Decision decide(Rules rules, Op op) {
        return decide(rules, op, FACTS);
    }

    static Decision decide(Rules rules, Op op, Facts facts) {
        return Policy.decide(new PolicyInput(rules, new Action(new ActionId(1), op), facts));
    }

    static Verdict sh(Rules rules, String script) {
        return decide(rules, exec("sh", "-c", script)).verdict();
    }

    static Op.Exec exec(String... argv) {
        return new Op.Exec(List.of(argv), "", Content.NONE, List.of(), 0, false);
    }

    static Op.Write write(String path) {
        return new Op.Write(path, Content.NONE, Optional.empty(), Optional.empty());
    }

    static Op.Browse browse(String method, String url) {
        return new Op.Browse(method, url, List.of(), Content.NONE, "");
    }

    /** Rules that allow these commands and nothing else. */
    static Rules allowing(String... argv) {
        StringBuilder text = new StringBuilder("rules:\n");
        for (String pattern : argv) {
            text.append("  - {op: exec, argv: '").append(pattern).append("', verdict: allow}\n");
        }
        return Rules.parse("test", text.toString());
    }

    /** Rules that forbid these commands and allow all others. */
    static Rules denying(String... argv) {
        StringBuilder text = new StringBuilder("rules:\n");
        for (String pattern : argv) {
            text.append("  - {op: exec, argv: '").append(pattern).append("', verdict: block}\n");
        }
        return Rules.parse("test", text + "  - {name: all, op: exec, verdict: allow}\n");
    }
}
