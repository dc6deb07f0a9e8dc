package ai.hanzo.dev.protocol;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.List;
import java.util.Optional;

/**
 * What the host tells the core: one record for each event of {@code wasm/dev.zap}. Each is a
 * journal entry before the core sees it; the entry's sequence is added when it is fed. Immutable.
 */
public sealed interface Event {

    /** A person or an agent asks for something. */
    record Turn(TurnId id, String prompt, List<Blob> attachments) implements Event {
        public Turn {
            attachments = List.copyOf(attachments);
        }
    }

    /** The model has answered the ask {@code id}. */
    record ModelReply(ActionId id, Optional<String> text, List<Call> calls, Usage usage)
            implements Event {
        public ModelReply {
            calls = List.copyOf(calls);
        }
    }

    /** Tokens as the provider counted them; 0 or more. */
    record Usage(long inputTokens, long outputTokens) {
        /** Nothing counted. */
        public static final Usage NONE = new Usage(0, 0);
    }

    /** The model could not be asked, after all retries. */
    record ModelFailed(ActionId id, FailureCode code, String message) implements Event {}

    /** Why the model could not be asked. */
    enum FailureCode {
        CONTEXT_OVERFLOW,
        MALFORMED,
        UNAVAILABLE,
        REFUSED,
        KEY_MISSING,
        TIMED_OUT
    }

    /** The outcome of the action {@code id}. */
    record Result(Family family, ActionId id, Outcome outcome) implements Event {}

    /** Which actions a result can answer. */
    enum Family {
        EXEC,
        FILE,
        GIT,
        BROWSE;

        /** The family of the results of {@code op}, if it is answered by a result. */
        public static Optional<Family> of(Op op) {
            return switch (op) {
                case Op.Exec _ -> Optional.of(EXEC);
                case Op.Git _ -> Optional.of(GIT);
                case Op.Browse _, Op.Send _ -> Optional.of(BROWSE);
                case Op.Read _, Op.Write _, Op.Patch _, Op.ListFiles _, Op.Search _, Op.Stat _ ->
                        Optional.of(FILE);
                case Op.ModelAsk _, Op.Ask _, Op.Emit _, Op.Save _, Op.Done _ -> Optional.empty();
            };
        }
    }

    /** The person has answered the question {@code id}. */
    record Answer(ActionId id, String text) implements Event {}

    /** Time has passed. */
    record Timer() implements Event {}

    /** The turn is to be cancelled. */
    record Cancel(TurnId turn) implements Event {}

    /**
     * The core was restored; {@code highestAction} is the highest id the ledger knows, 0 if none.
     */
    record Resume(long highestAction) implements Event {}

    /** The Config has changed. */
    record Configure(Config config) implements Event {}
}
