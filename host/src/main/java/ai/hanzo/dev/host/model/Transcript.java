package ai.hanzo.dev.host.model;

import ai.hanzo.dev.host.tool.Calls;
import ai.hanzo.dev.protocol.Blob;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.Seq;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The conversation of one context. Owned by the session's thread. A message's text is looked up
 * when it is first shown and kept, so that replay never reads what was replaced since.
 */
final class Transcript {
    private final int context;
    private final Function<Seq, Event> journal;
    private final List<Entry> entries = new ArrayList<>();

    Transcript(int context, Function<Seq, Event> journal) {
        this.context = context;
        this.journal = journal;
    }

    /** Applies one edit; an edit that does not fit changes nothing. */
    void apply(Op.Edit edit) {
        switch (edit) {
            case Op.Edit.Append append -> entries.add(new Entry(append.message()));
            case Op.Edit.Replace replace -> {
                List<Entry> span = spanOf(replace.from(), replace.count());
                span.clear();
                entries.add(replace.from(), new Entry(replace.message()));
            }
        }
    }

    /** Everything, as the model sees it. */
    List<ModelMessage> messages() {
        return show(entries);
    }

    /** The messages {@code [from, from + count)}. */
    List<ModelMessage> span(int from, int count) {
        return show(spanOf(from, count));
    }

    private List<Entry> spanOf(int from, int count) {
        if (from < 0 || count < 1 || from > entries.size() - count) {
            throw ModelException.badEdit(
                    context, "messages " + from + " and " + count + " on, of " + entries.size());
        }
        return entries.subList(from, from + count);
    }

    private List<ModelMessage> show(List<Entry> some) {
        // The tool's name stands beside each result: it is known from the call that came before.
        Map<Long, String> tools = new HashMap<>();
        List<ModelMessage> shown = new ArrayList<>(some.size());
        for (Entry entry : some) {
            ModelMessage message = entry.shown(tools);
            shown.add(message);
            if (message instanceof ModelMessage.Assistant assistant) {
                List<Long> ids = entry.message.callIds();
                for (int i = 0; i < assistant.calls().size(); i++) {
                    tools.put(ids.get(i), assistant.calls().get(i).tool());
                }
            }
        }
        return List.copyOf(shown);
    }

    /** One message and, once it was shown, what it shows. */
    private final class Entry {
        private final Op.Message message;
        private Optional<ModelMessage> shown = Optional.empty();

        Entry(Op.Message message) {
            this.message = message;
        }

        ModelMessage shown(Map<Long, String> tools) {
            if (shown.isEmpty()) {
                shown = Optional.of(show(tools));
            }
            return shown.orElseThrow();
        }

        private ModelMessage show(Map<Long, String> tools) {
            return switch (message.role()) {
                case SYSTEM -> new ModelMessage.Standing(text());
                case USER -> new ModelMessage.User(text());
                case ASSISTANT -> assistant();
                case TOOL ->
                        new ModelMessage.ToolResult(
                                callId(message.id()),
                                tools.getOrDefault(message.id(), "unknown"),
                                text());
            };
        }

        private ModelMessage assistant() {
            if (!isInJournal()) {
                return new ModelMessage.Assistant(spoken(message.body()), List.of());
            }
            Event event = event();
            if (!(event instanceof Event.ModelReply reply)) {
                return new ModelMessage.Assistant(spoken(text(event)), List.of());
            }
            List<Call> calls = reply.calls();
            List<Long> ids = message.callIds();
            if (ids.size() > calls.size()) {
                throw ModelException.badEdit(
                        context, ids.size() + " ids for " + calls.size() + " calls");
            }
            // The core may take fewer calls than the reply had: what has no id was never made.
            List<ModelMessage.Called> called = new ArrayList<>(ids.size());
            for (int i = 0; i < ids.size(); i++) {
                Call call = calls.get(i);
                called.add(
                        new ModelMessage.Called(
                                callId(ids.get(i)), call.tool(), Calls.arguments(call)));
            }
            return new ModelMessage.Assistant(reply.text().flatMap(Entry::spoken), called);
        }

        private static Optional<String> spoken(String text) {
            return text.isEmpty() ? Optional.empty() : Optional.of(text);
        }

        private String text() {
            return isInJournal() ? text(event()) : message.body();
        }

        private boolean isInJournal() {
            return message.entry().value() != 0;
        }

        private Event event() {
            return journal.apply(message.entry());
        }

        private String text(Event event) {
            return switch (event) {
                case Event.Configure configure -> standingInstructions(configure.config());
                case Event.Turn turn -> prompt(turn);
                case Event.ModelReply reply -> reply.text().orElse("");
                case Event.Result result -> ResultText.of(result);
                case Event.Answer answer -> answer.text();
                case Event.ModelFailed failed -> "failed: " + failed.message();
                case Event.Timer _, Event.Cancel _, Event.Resume _ ->
                        throw ModelException.badEdit(
                                context, "entry " + message.entry() + " has no text");
            };
        }
    }

    private static String callId(long id) {
        return "call_" + id;
    }

    private static String standingInstructions(Config config) {
        if (config.instructions().isBlank()) {
            return config.prelude();
        }
        return config.prelude()
                + "\n\n# Instructions of this workspace (its AGENTS.md)\n\n"
                + config.instructions();
    }

    private static String prompt(Event.Turn turn) {
        StringBuilder text = new StringBuilder(turn.prompt());
        for (Blob blob : turn.attachments()) {
            text.append("\n[attached: ")
                    .append(blob.name().isEmpty() ? "without a name" : blob.name())
                    .append(", ")
                    .append(blob.mediaType())
                    .append(", ")
                    .append(blob.sizeBytes())
                    .append(" bytes]");
        }
        return text.toString();
    }
}
