package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.wire.ActionWire;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** What holds for a session whatever its host does. */
final class CorePropertyTest {
    /** Small enough that every limit is met now and then. */
    private static final Config.Limits TIGHT =
            new Config.Limits(3, 25, 2, 6, 0, 1_500, 0, 60_000, 3, 3);

    private static final int STEPS = 120;

    /** Its threads are daemons and end with the tests. */
    private static final Cores CORES = new WasmCores(CoreLimits.DEFAULTS);

    @Property(tries = 150, shrinking = ShrinkingMode.OFF)
    void everyAskIsFitForAProviderAndIdsRise(@ForAll long seed) {
        var host = new RandomHost(new SplittableRandom(seed));
        var transcripts = new Transcripts();
        try (Driver driver = Driver.open(CORES, TIGHT)) {
            long last = 0;
            for (int i = 0; i < STEPS; i++) {
                List<Action> actions = driver.feed(host.next());
                for (Action action : actions) {
                    assertThat(action.id().value()).isGreaterThan(last);
                    last = action.id().value();
                }
                transcripts.apply(actions);
                host.see(actions);
            }
        }
    }

    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void aReplayOfTheJournalIsTheLiveRun(@ForAll long seed) {
        var host = new RandomHost(new SplittableRandom(seed));
        var live = new ArrayList<Bytes>();
        try (Driver driver = Driver.open(CORES, TIGHT)) {
            for (int i = 0; i < STEPS; i++) {
                Bytes batch = driver.feedBytes(host.next());
                live.add(batch);
                host.see(ActionWire.decodeBatch(batch));
            }
            List<Bytes> journal = driver.journal();
            try (Core again = CORES.open(CORES.current(), journal.getFirst())) {
                for (int i = 0; i < STEPS; i++) {
                    assertThat(again.step(journal.get(i + 1))).isEqualTo(live.get(i));
                }
                assertThat(again.snapshot()).isEqualTo(driver.snapshot());
            }
        }
    }

    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void aSessionRestoredAtEveryStepIsTheSame(@ForAll long seed) {
        var host = new RandomHost(new SplittableRandom(seed));
        try (Driver driver = Driver.open(CORES, TIGHT)) {
            for (int i = 0; i < STEPS; i++) {
                Bytes before = driver.snapshot();
                Bytes batch = driver.feedBytes(host.next());
                Bytes event = driver.journal().getLast();
                try (Core other = CORES.restore(CORES.current(), before)) {
                    assertThat(other.snapshot()).isEqualTo(before);
                    assertThat(other.step(event)).isEqualTo(batch);
                    assertThat(other.snapshot()).isEqualTo(driver.snapshot());
                }
                host.see(ActionWire.decodeBatch(batch));
            }
        }
    }

    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void resumeRepeatsExactlyWhatIsOutstandingAndChangesNothing(@ForAll long seed) {
        var host = new RandomHost(new SplittableRandom(seed));
        try (Driver driver = Driver.open(CORES, TIGHT)) {
            for (int i = 0; i < STEPS; i++) {
                host.see(driver.feed(host.next()));
                Bytes state = driver.snapshot();
                List<Action> again = driver.resume(0);
                assertThat(again.stream().map(Action::id)).doesNotHaveDuplicates();
                assertThat(driver.snapshot()).isEqualTo(state);
            }
        }
    }

    @Property(tries = 20, shrinking = ShrinkingMode.OFF)
    void whatTheCoreWritesIsWhatTheCodecWrites(@ForAll long seed) {
        var host = new RandomHost(new SplittableRandom(seed));
        try (Driver driver = Driver.open(CORES, TIGHT)) {
            for (int i = 0; i < STEPS; i++) {
                Bytes batch = driver.feedBytes(host.next());
                List<Action> actions = ActionWire.decodeBatch(batch);
                assertThat(ActionWire.encodeBatch(actions)).isEqualTo(batch);
                host.see(actions);
            }
        }
    }
}
