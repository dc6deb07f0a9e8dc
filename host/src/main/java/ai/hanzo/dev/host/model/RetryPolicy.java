package ai.hanzo.dev.host.model;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * When a failed try is made again. Pure but for the randomness that is handed in.
 *
 * <p>The pause doubles from {@link #FIRST_PAUSE} to {@link #LONGEST_PAUSE}, less up to a quarter at
 * random so that hosts do not come back in step. It is never shorter than the provider asked for;
 * what it asked for beyond {@link #LONGEST_WAIT} is not waited for inside an ask: the ask is
 * parked.
 */
final class RetryPolicy {
    /** Tries of one ask, the first included. */
    static final int MOST_TRIES = 6;

    static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** The longest that an ask waits for a provider that named a time. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private RetryPolicy() {}

    /** What is to be done after a fault. */
    sealed interface Verdict {
        /** Try again after {@code pause}. */
        record Again(Duration pause) implements Verdict {}

        /** Leave, and come back after {@code pause}. */
        record Park(Duration pause) implements Verdict {}

        /** Give up. */
        record GiveUp() implements Verdict {}
    }

    /**
     * After the fault of try {@code number} (from 0), with {@code left} of the ask's time.
     *
     * @param random for the pause; not used when the provider named a longer one
     */
    static Verdict after(Fault fault, int number, Duration left, RandomGenerator random) {
        if (!fault.kind().isRetried()) {
            return new Verdict.GiveUp();
        }
        Optional<Duration> wish = fault.retryAfter();
        if (isParked(fault)) {
            return new Verdict.Park(wish.orElseThrow());
        }
        if (isLast(number)) {
            return new Verdict.GiveUp();
        }
        Duration pause = pause(number, random);
        if (wish.isPresent() && wish.get().compareTo(pause) > 0) {
            pause = wish.get();
        }
        if (pause.compareTo(left) < 0) {
            return new Verdict.Again(pause);
        }
        return wish.isPresent() ? new Verdict.Park(pause) : new Verdict.GiveUp();
    }

    /** Whether the provider asked for a longer wait than an ask may take. */
    static boolean isParked(Fault fault) {
        return fault.kind().isRetried()
                && fault.retryAfter().filter(wish -> wish.compareTo(LONGEST_WAIT) > 0).isPresent();
    }

    /** Whether no try follows on try {@code number}. */
    static boolean isLast(int number) {
        return number + 1 >= MOST_TRIES;
    }

    private static Duration pause(int number, RandomGenerator random) {
        long doubled = FIRST_PAUSE.toMillis() << Math.min(number, 20);
        long bounded = Math.min(doubled, LONGEST_PAUSE.toMillis());
        return Duration.ofMillis(bounded - random.nextLong(bounded / 4 + 1));
    }
}
