package ai.hanzo.dev.host.model;

import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The conversations of one session: the core sends edits with each ask, here they are applied in
 * order and become what the model is shown. Owned by the session's thread. After a restart the same
 * asks, applied again in the order of their ids, give the same conversations.
 */
public final class Transcripts {
    private final Function<Seq, Event> journal;
    private final Map<Integer, Transcript> contexts = new HashMap<>();
    private final List<ActionId> asks = new ArrayList<>();

    /**
     * @param journal gives the event of an input entry; for an entry that holds the Config, a
     *     {@link Event.Configure}. Called when a message is first shown, at most once for each
     *     message
     */
    public Transcripts(Function<Seq, Event> journal) {
        this.journal = journal;
    }

    /**
     * Applies the edits of an ask that the ledger has recorded. An id that is not above every id
     * applied before is left alone: after a restore the core names its outstanding asks again.
     *
     * @throws ModelException when an edit does not fit
     */
    public void apply(ActionId id, Op.ModelAsk ask) {
        if (!asks.isEmpty() && id.compareTo(asks.getLast()) <= 0) {
            return;
        }
        Transcript transcript = transcript(ask.context());
        ask.edits().forEach(transcript::apply);
        asks.add(id);
    }

    /**
     * The question that an applied ask stands for.
     *
     * @param config the session's, for the tools that the ask names
     * @param parked see {@link ModelRequest#parked}
     * @throws ModelException when the ask was never applied or names an entry without text
     */
    public ModelRequest request(ActionId id, Op.ModelAsk ask, Config config, int parked) {
        int ordinal = Collections.binarySearch(asks, id);
        if (ordinal < 0) {
            throw ModelException.badEdit(ask.context(), "ask " + id + " was never applied");
        }
        Transcript transcript = transcript(ask.context());
        List<ModelMessage> messages =
                switch (ask.purpose()) {
                    case TURN, AGENT -> transcript.messages();
                    case COMPACT -> Compaction.messages(transcript.span(ask.from(), ask.count()));
                };
        List<Config.Tool> tools =
                config.tools().stream().filter(tool -> ask.tools().contains(tool.name())).toList();
        return new ModelRequest(id, messages, tools, ordinal, parked);
    }

    private Transcript transcript(int context) {
        return contexts.computeIfAbsent(context, n -> new Transcript(n, journal));
    }
}
