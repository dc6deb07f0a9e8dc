package ai.hanzo.dev.protocol;

import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.List;
import java.util.Optional;

/**
 * What an {@link Action} does: one record for each operation of {@code wasm/dev.zap}. Immutable.
 *
 * <p>Paths are as the model wrote them; the core has refused those that leave the workspace by
 * their letters, the cell refuses those that leave it by links.
 */
public sealed interface Op {

    /** An operation that changes something, or may. */
    sealed interface Effect extends Op {}

    /** An operation that only looks. */
    sealed interface Look extends Op {}

    /** An operation that the host carries out by itself at once. */
    sealed interface Note extends Op {}

    /**
     * Ask the model.
     *
     * @param context 0 for the session's own conversation, above it a nested agent
     * @param parent the context that called this agent
     * @param model empty for the session's
     * @param edits to be applied to the context's transcript, in order, before the request is built
     * @param tools names out of the Config's tools
     * @param from for {@link Purpose#COMPACT}: the first message to be summarised
     * @param count for {@link Purpose#COMPACT}: how many
     */
    record ModelAsk(
            int context,
            int parent,
            Purpose purpose,
            String model,
            List<Edit> edits,
            List<String> tools,
            int from,
            int count)
            implements Op {
        public ModelAsk {
            edits = List.copyOf(edits);
            tools = List.copyOf(tools);
        }
    }

    /** Why the model is asked. */
    enum Purpose {
        TURN,
        COMPACT,
        AGENT
    }

    /** A change of a transcript. */
    sealed interface Edit {
        /** The message that the edit brings. */
        Message message();

        /** Adds a message at the end. */
        record Append(Message message) implements Edit {}

        /** Puts one message in the place of {@code count} from {@code from} on. */
        record Replace(int from, int count, Message message) implements Edit {}
    }

    /**
     * A message of a transcript: who speaks, and where its text is.
     *
     * @param entry the journal entry that brought the text, or {@link Seq} 0 if it is in {@code
     *     body}
     * @param id of a tool message: the call that it answers; of an assistant message: the ask;
     *     otherwise 0
     * @param callIds of an assistant message: the ids of its calls, in call order
     */
    record Message(Role role, Seq entry, String body, long id, List<Long> callIds) {
        public Message {
            callIds = List.copyOf(callIds);
        }
    }

    /** Who speaks. */
    enum Role {
        SYSTEM,
        USER,
        ASSISTANT,
        TOOL
    }

    /** Read a file; {@code lengthBytes} 0 reads to its end. */
    record Read(String path, long offset, long lengthBytes) implements Look {}

    /** Write a file; {@code expected} is the digest of what it replaces. */
    record Write(String path, Content content, Optional<Integer> mode, Optional<Sha256> expected)
            implements Effect {}

    /** Apply a unified diff or a {@code *** Begin Patch} text. */
    record Patch(Content patch) implements Effect {}

    /**
     * Run a command; {@code timeoutMillis} 0 is the cell's default, {@code cwd} empty the
     * workspace.
     */
    record Exec(
            List<String> argv,
            String cwd,
            Content stdin,
            List<Variable> env,
            int timeoutMillis,
            boolean pty)
            implements Effect {
        public Exec {
            argv = List.copyOf(argv);
            env = List.copyOf(env);
        }
    }

    /** An environment variable, or a header. */
    record Variable(String name, String value) {}

    /** Run git with these arguments (without the word git). */
    record Git(List<String> argv, String cwd) implements Effect {
        public Git {
            argv = List.copyOf(argv);
        }
    }

    /** Make a web request; {@code method} empty is GET. */
    record Browse(
            String method, String url, List<Variable> headers, Content body, String idempotencyKey)
            implements Effect {
        public Browse {
            headers = List.copyOf(headers);
        }
    }

    /** Ask the person; {@code schema} is the JSON Schema of the answer, or empty. */
    record Ask(String question, List<String> choices, String schema) implements Op {
        public Ask {
            choices = List.copyOf(choices);
        }
    }

    /** Send a message outward. */
    record Send(String channel, String reference, String text) implements Effect {}

    /** Tell the person something; for a plan, {@code items} instead of {@code text}. */
    record Emit(EmitKind kind, int context, String text, List<PlanItem> items) implements Note {
        public Emit {
            items = List.copyOf(items);
        }
    }

    /** What is told. */
    enum EmitKind {
        SAY,
        THINK,
        PLAN,
        PROGRESS
    }

    /** A step of a plan. */
    record PlanItem(String text, PlanStatus status) {}

    /** How far a step of a plan is. */
    enum PlanStatus {
        PENDING,
        ACTIVE,
        DONE
    }

    /** Keep the snapshot of this step. */
    record Save() implements Note {}

    /** The turn has ended; {@code code} and {@code message} only if it failed. */
    record Done(TurnId turn, TurnOutcome outcome, String code, String message) implements Note {}

    /** How a turn ends. */
    enum TurnOutcome {
        COMPLETE,
        CANCELLED,
        FAILED
    }

    /** List a directory; {@code limit} 0 is 1,000 entries. */
    record ListFiles(String path, int offset, int limit) implements Look {}

    /** Search files for an extended regular expression; {@code limit} 0 is 200 lines. */
    record Search(String pattern, String path, String glob, int limit) implements Look {}

    /** Look at one path. */
    record Stat(String path) implements Look {}
}
