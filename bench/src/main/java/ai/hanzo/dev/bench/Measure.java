package ai.hanzo.dev.bench;

import java.util.List;

/**
 * A thing that every engine is timed at.
 *
 * @param kind as the peers know it
 * @param messages in the conversation
 * @param operations of one batch
 */
record Measure(Kind kind, int messages, int operations) {
    /** Sessions that a batch of steps goes round. */
    static final int SESSIONS = 60;

    private static final int STEPS = SESSIONS * Conversation.EVENTS * 4;

    /** What is done. */
    enum Kind {
        OPEN("instantiate + open"),
        STEP("step"),
        SNAPSHOT("snapshot"),
        RESTORE("restore");

        final String title;

        Kind(String title) {
            this.title = title;
        }
    }

    static final List<Measure> ALL =
            List.of(
                    new Measure(Kind.STEP, 2, STEPS),
                    new Measure(Kind.STEP, 20, STEPS),
                    new Measure(Kind.STEP, 200, STEPS),
                    new Measure(Kind.STEP, 2_000, STEPS),
                    new Measure(Kind.OPEN, 20, 300),
                    new Measure(Kind.SNAPSHOT, 20, 1_000),
                    new Measure(Kind.SNAPSHOT, 200, 300),
                    new Measure(Kind.RESTORE, 20, 10 * SESSIONS));

    String title() {
        return kind == Kind.OPEN ? kind.title : kind.title + ", " + messages + " messages";
    }

    String command() {
        return kind.name().toLowerCase(java.util.Locale.ROOT) + " " + messages + " " + operations;
    }
}
