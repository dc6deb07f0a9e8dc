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
    /** Sessions that a batch of steps goes round; what they hold fits a processor's cache. */
    static final int SESSIONS = 16;

    private static final int STEPS = SESSIONS * Conversation.EVENTS * 16;

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
                    new Measure(Kind.RESTORE, 20, 40 * SESSIONS));

    String title() {
        return kind == Kind.OPEN ? kind.title : kind.title + ", " + messages + " messages";
    }

    /** What {@link #command} wrote. */
    static Measure parse(String command) {
        String[] parts = command.split(" ", 3);
        return new Measure(
                Kind.valueOf(parts[0].toUpperCase(java.util.Locale.ROOT)),
                Integer.parseInt(parts[1]),
                Integer.parseInt(parts[2]));
    }

    String command() {
        return kind.name().toLowerCase(java.util.Locale.ROOT) + " " + messages + " " + operations;
    }
}
