package ai.hanzo.dev.ledger;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a journal entry is. A name rather than an enum: an entry of a kind that this release does
 * not know passes through it untouched.
 *
 * @param value 1 to 40 of {@code a-z 0-9 _}, beginning with a letter
 */
public record EntryKind(String value) {
    private static final Pattern FORM = Pattern.compile("[a-z][a-z0-9_]{0,39}");

    /** The session's configuration; its first entry, and each change of it. */
    public static final EntryKind CONFIG = new EntryKind("config");

    /** A prompt. */
    public static final EntryKind TURN = new EntryKind("turn");

    /** What a model said. */
    public static final EntryKind MODEL_REPLY = new EntryKind("model_reply");

    /** A model call that was given up. */
    public static final EntryKind MODEL_FAILED = new EntryKind("model_failed");

    /** The outcome of an effect. */
    public static final EntryKind RESULT = new EntryKind("result");

    /** A person's answer to a question. */
    public static final EntryKind ANSWER = new EntryKind("answer");

    /** A turn is to stop. */
    public static final EntryKind CANCEL = new EntryKind("cancel");

    /** A request for approval was resolved; eaten by the host, not by the core. */
    public static final EntryKind APPROVAL = new EntryKind("approval");

    /** A timer fired. */
    public static final EntryKind TIMER = new EntryKind("timer");

    /** The session is to be put away; eaten by the host, not by the core. */
    public static final EntryKind SUSPEND = new EntryKind("suspend");

    /** The session goes on after it was put away; eaten by the host, not by the core. */
    public static final EntryKind RESUME = new EntryKind("resume");

    /** The session is to end; eaten by the host, not by the core. */
    public static final EntryKind STOP = new EntryKind("stop");

    /** What the core asked for: the one output. */
    public static final EntryKind ACTION = new EntryKind("action");

    /** A fact of the host, such as a checkpoint's id: neither eaten nor asked for. */
    public static final EntryKind NOTE = new EntryKind("note");

    private static final Set<EntryKind> INPUTS =
            Set.of(
                    CONFIG,
                    TURN,
                    MODEL_REPLY,
                    MODEL_FAILED,
                    RESULT,
                    ANSWER,
                    CANCEL,
                    APPROVAL,
                    STOP,
                    SUSPEND,
                    TIMER,
                    RESUME);

    private static final Set<EntryKind> FOR_THE_HOST = Set.of(APPROVAL, STOP, SUSPEND, RESUME);

    /** Throws {@link IllegalArgumentException} when {@code value} is not of the form above. */
    public EntryKind {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("'" + value + "' is not a kind of entry");
        }
    }

    /** The kinds that the session's loop takes in. */
    public static Set<EntryKind> inputs() {
        return INPUTS;
    }

    /** Whether the session's loop takes entries of this kind in; false for an unknown kind. */
    public boolean isInput() {
        return INPUTS.contains(this);
    }

    /** Whether entries of this kind are fed to the core; its first one is a config. */
    public boolean isForCore() {
        return isInput() && !FOR_THE_HOST.contains(this);
    }

    @Override
    public String toString() {
        return value;
    }
}
