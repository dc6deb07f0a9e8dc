package ai.hanzo.dev.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Several engines at the same steps, by turns: a machine that is slower for a while is slower for
 * all. Each is warmed up first; of its rounds the middle one counts. One thread.
 */
final class StepRace {
    /** Steps of one workflow: until the JIT is done. */
    private static final int WARM_UP = 20_000;

    /** As many in a workflow as it may well have. */
    private static final int STEPS = 1_000;

    private static final int ROUNDS = Integer.getInteger("hanzo.bench.rounds", 15);

    /** Until the JIT is done and each connection has its statements prepared. */
    private static final int WARM_UP_SECONDS = 15;

    private static final int SECONDS = 4;
    private static final int ROUNDS_OF_MANY = Integer.getInteger("hanzo.bench.rounds.many", 5);

    private final Random order = new Random(1);
    private final List<Ran> running = new ArrayList<>();
    private final Map<String, String> failed = new LinkedHashMap<>();

    /**
     * What was measured of an engine, a number for each round.
     *
     * @param millis the median of one workflow's steps
     * @param perSecond the steps of all workflows at once
     */
    record Ran(StepEngine engine, List<Double> millis, List<Double> perSecond) {}

    StepRace(List<StepEngine> engines) {
        for (StepEngine engine : engines) {
            running.add(new Ran(engine, new ArrayList<>(), new ArrayList<>()));
        }
    }

    /** Engines that ended on the way, and how. */
    Map<String, String> failed() {
        return failed;
    }

    /** Those that came to the end. */
    List<Ran> run() throws InterruptedException {
        rounds(WARM_UP / STEPS, ran -> ran.engine().one(STEPS));
        rounds(ROUNDS, ran -> ran.millis().add(ran.engine().one(STEPS)));
        rounds(1, ran -> ran.engine().many(WARM_UP_SECONDS));
        rounds(ROUNDS_OF_MANY, ran -> ran.perSecond().add(ran.engine().many(SECONDS)));
        return running;
    }

    private interface Round {
        void run(Ran ran) throws IOException, InterruptedException;
    }

    private void rounds(int count, Round round) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            // Nobody always comes after the same one, and has what that leaves to be done.
            Collections.shuffle(running, order);
            for (Ran ran : List.copyOf(running)) {
                try {
                    round.run(ran);
                } catch (IOException e) {
                    failed.put(ran.engine().name(), String.valueOf(e.getMessage()));
                    running.remove(ran);
                }
            }
        }
    }
}
