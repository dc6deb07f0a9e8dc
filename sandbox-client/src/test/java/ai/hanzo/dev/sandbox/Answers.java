package ai.hanzo.dev.sandbox;

/** What a test expects of an answer; the other kind is its failure. */
final class Answers {
    private Answers() {}

    static <T> T done(Reply<T> reply) {
        return switch (reply) {
            case Reply.Done<T>(T value) -> value;
            case Reply.Refused<T> refused -> throw new AssertionError(refused.toString());
        };
    }

    static RefusalCode refusal(Reply<?> reply) {
        return switch (reply) {
            case Reply.Refused<?> refused -> refused.code();
            case Reply.Done<?> done -> throw new AssertionError("not refused: " + done);
        };
    }
}
