package ai.hanzo.dev.host.secret;

import java.util.function.Consumer;

/**
 * Masks a text that comes in pieces, and passes it on in pieces: whole words, so that no secret
 * slips through in two halves. One thread.
 */
public final class MaskedPieces {
    /** No more is held back: longer words, and longer private keys, are told in parts. */
    private static final int MOST_HELD_CHARS = 16 << 10;

    private final Secrets secrets;
    private final Consumer<String> to;
    private final StringBuilder held = new StringBuilder();

    /** What is passed on goes to {@code to}, on the caller's thread. */
    public MaskedPieces(Secrets secrets, Consumer<String> to) {
        this.secrets = secrets;
        this.to = to;
    }

    /** More of the text. */
    public void add(String piece) {
        held.append(piece);
        String text = held.toString();
        int whole =
                text.length() > MOST_HELD_CHARS
                        ? text.length()
                        : secrets.redactor().wholeChars(text);
        pass(text.substring(0, whole));
        held.delete(0, whole);
    }

    /** There is no more. */
    public void end() {
        pass(held.toString());
        held.setLength(0);
    }

    /** What was not passed on yet is void. */
    public void forget() {
        held.setLength(0);
    }

    private void pass(String text) {
        if (!text.isEmpty()) {
            to.accept(secrets.redactor().mask(text));
        }
    }
}
