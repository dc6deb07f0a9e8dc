package ai.hanzo.dev.host.stream;

import ai.hanzo.dev.protocol.Call;

/** One line of a tool call for people. Pure. */
final class CallText {
    private CallText() {}

    static String line(Call call) {
        return switch (call.request()) {
            case Call.Operation(var op) -> OpText.line(op);
            case Call.Agent agent -> "agent: " + OpText.oneLine(agent.task());
            case Call.Plan plan -> "plan of " + plan.items().size() + " steps";
            case Call.Invalid invalid -> "invalid: " + OpText.oneLine(invalid.message());
        };
    }
}
