package ai.hanzo.dev.policy;

/** Whether a rule speaks of something; MAYBE where that shows only when it runs. */
enum Match {
    NO,
    MAYBE,
    YES;

    static Match of(boolean matches) {
        return matches ? YES : NO;
    }

    /** Both must hold. */
    Match and(Match other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /** One is enough. */
    Match or(Match other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
