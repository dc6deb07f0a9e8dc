package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Op;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps transcripts as a host does, by the edits of asks, and checks that a provider would take
 * them. One thread.
 */
final class Transcripts {
    private final Map<Integer, List<Op.Message>> contexts = new HashMap<>();

    /** What the model sees in a context. */
    List<Op.Message> messages(int context) {
        return List.copyOf(contexts.getOrDefault(context, List.of()));
    }

    void apply(List<Action> actions) {
        for (Action action : actions) {
            if (action.op() instanceof Op.ModelAsk ask) {
                apply(ask);
            }
        }
    }

    private void apply(Op.ModelAsk ask) {
        List<Op.Message> messages = contexts.computeIfAbsent(ask.context(), _ -> new ArrayList<>());
        for (Op.Edit edit : ask.edits()) {
            switch (edit) {
                case Op.Edit.Append(Op.Message message) -> messages.add(message);
                case Op.Edit.Replace(int from, int count, Op.Message message) -> {
                    messages.subList(from, from + count).clear();
                    messages.add(from, message);
                }
            }
        }
        assertThat(messages.getFirst().role()).isEqualTo(Op.Role.SYSTEM);
        assertPaired(messages);
        if (ask.purpose() == Op.Purpose.COMPACT) {
            assertThat(ask.from()).isPositive();
            assertThat(ask.from() + ask.count()).isLessThanOrEqualTo(messages.size());
            assertPaired(messages.subList(ask.from(), ask.from() + ask.count()));
        }
    }

    /** D1: each call has exactly one result before the next message of a user or an assistant. */
    private static void assertPaired(List<Op.Message> messages) {
        Set<Long> open = new HashSet<>();
        for (Op.Message message : messages) {
            if (message.role() == Op.Role.TOOL) {
                assertThat(open.remove(message.id())).as("a result of %s", message).isTrue();
            } else {
                assertThat(open).as("calls without a result before %s", message).isEmpty();
                open.addAll(message.callIds());
                assertThat(open).hasSize(message.callIds().size());
            }
        }
        assertThat(open).as("calls without a result at the end").isEmpty();
    }
}
