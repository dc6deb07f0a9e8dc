package ai.hanzo.dev.host.model;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.model.RetryPolicy.Verdict;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

final class RetryPolicyPropertyTest {

    /** Field case C1. */
    @Property
    void neverEarlierThanTheProviderAskedFor(
            @ForAll @LongRange(min = 0, max = 100_000) long wishMillis,
            @ForAll @IntRange(max = 10) int number,
            @ForAll @LongRange(min = 1, max = 600_000) long leftMillis,
            @ForAll long seed) {
        Duration wish = Duration.ofMillis(wishMillis);
        Fault fault = new Fault(Fault.Kind.RATE_LIMIT, "slow down", Optional.of(wish));
        Duration left = Duration.ofMillis(leftMillis);
        switch (RetryPolicy.after(fault, number, left, new Random(seed))) {
            case Verdict.Again(Duration pause) ->
                    assertThat(pause).isGreaterThanOrEqualTo(wish).isLessThan(left);
            case Verdict.Park(Duration pause) -> assertThat(pause).isGreaterThanOrEqualTo(wish);
            case Verdict.GiveUp() -> assertThat(number).isGreaterThanOrEqualTo(5);
        }
    }

    @Property
    void pausesAreBounded(@ForAll @IntRange(max = 4) int number, @ForAll long seed) {
        Fault fault = new Fault(Fault.Kind.TRANSIENT, "down");
        Verdict verdict = RetryPolicy.after(fault, number, Duration.ofHours(1), new Random(seed));
        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Verdict.Again.class,
                        again ->
                                assertThat(again.pause())
                                        .isBetween(
                                                Duration.ofMillis(750L << number),
                                                RetryPolicy.LONGEST_PAUSE));
    }
}
