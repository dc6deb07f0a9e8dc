package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.core.Core;
import ai.hanzo.dev.host.core.CoreLimits;
import ai.hanzo.dev.host.core.WasmCores;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.util.List;

/**
 * A process that takes the first step of a session and ends. With an argument, one that does not.
 */
public final class FirstStep {
    private FirstStep() {}

    /** Says how many bytes of actions there were. */
    public static void main(String... arguments) {
        if (arguments.length != 0) {
            System.out.println("hello");
            return;
        }
        var turn = new Event.Turn(new TurnId(1), "go", List.of());
        try (WasmCores cores = new WasmCores(CoreLimits.DEFAULTS);
                Core core = cores.open(cores.current(), Conversation.smallConfig())) {
            System.out.println(core.step(EventWire.encode(turn, new Seq(2))).length());
        }
    }
}
