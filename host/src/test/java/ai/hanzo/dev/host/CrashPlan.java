package ai.hanzo.dev.host;

import ai.hanzo.dev.protocol.Failpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Which process is killed when: all of it follows from a seed.
 *
 * @param kills in their order
 */
record CrashPlan(List<Kill> kills) {
    /** Reached once for each session or each start of a host, so not to be waited for long. */
    private static final Set<Failpoint> RARE =
            EnumSet.of(
                    Failpoint.OPEN_WRITTEN,
                    Failpoint.OPEN_COMMITTED,
                    Failpoint.LEASE_TAKEN,
                    Failpoint.REBUILT,
                    Failpoint.CELL_LEASED);

    /** What is killed. */
    enum Victim {
        HOST,
        SUPERVISOR,
        CELL,
        POSTGRES,
        BACKEND
    }

    /** One of them. */
    sealed interface Kill {
        /** The host ends itself when it reaches a place the n-th time. */
        record At(Failpoint place, int times) implements Kill {
            String property() {
                return "-Dhanzo.failpoint=" + place + ":" + times;
            }
        }

        /** A process gets SIGKILL after a while, wherever it is. */
        record After(Victim victim, Duration pause) implements Kill {}
    }

    /** Every place once, and at least one kill of each kind from outside, {@code kills} in all. */
    static CrashPlan of(long seed, int kills) {
        Random random = new Random(seed);
        List<Kill> plan = new ArrayList<>();
        for (Failpoint place : Failpoint.values()) {
            plan.add(at(place, random));
        }
        for (Victim victim : Victim.values()) {
            plan.add(after(victim, random));
        }
        while (plan.size() < kills) {
            boolean atAPlace = random.nextInt(3) == 0;
            plan.add(
                    atAPlace
                            ? at(any(Failpoint.values(), random), random)
                            : after(any(Victim.values(), random), random));
        }
        Collections.shuffle(plan, random);
        return new CrashPlan(plan.subList(0, kills));
    }

    private static <T> T any(T[] all, Random random) {
        return all[random.nextInt(all.length)];
    }

    private static Kill at(Failpoint place, Random random) {
        return new Kill.At(place, RARE.contains(place) ? 1 : 1 + random.nextInt(12));
    }

    private static Kill after(Victim victim, Random random) {
        return new Kill.After(victim, Duration.ofMillis(random.nextInt(600)));
    }
}
