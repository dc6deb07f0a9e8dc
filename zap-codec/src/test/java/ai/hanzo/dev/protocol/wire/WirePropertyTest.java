package ai.hanzo.dev.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.zap.CodecException;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class WirePropertyTest {

    @Property(tries = 300)
    void anEventComesBackAsItWas(@ForAll long seed, @ForAll @LongRange(min = 0) long entry) {
        Event event = new Samples(new Random(seed)).event();

        Bytes message = EventWire.encode(event, new Seq(entry));

        assertThat(EventWire.decode(message)).isEqualTo(event);
        assertThat(EventWire.entryOf(message)).isEqualTo(new Seq(entry));
    }

    @Property(tries = 300)
    void anEntryIsPutIntoAnEventWithoutAnyOtherChange(
            @ForAll long seed, @ForAll @LongRange(min = 0) long entry) {
        Event event = new Samples(new Random(seed)).event();

        Bytes message = EventWire.withEntry(EventWire.encode(event), new Seq(entry));

        assertThat(message).isEqualTo(EventWire.encode(event, new Seq(entry)));
    }

    @Property(tries = 300)
    void anActionComesBackAsItWas(@ForAll long seed) {
        Action action = new Samples(new Random(seed)).randomAction();

        Bytes message = ActionWire.encode(action);

        assertThat(ActionWire.decode(message)).isEqualTo(action);
        assertThat(ActionWire.encode(action)).isEqualTo(message);
    }

    @Property(tries = 300)
    void aBatchComesBackInOrder(@ForAll long seed) {
        var samples = new Samples(new Random(seed));
        List<Action> actions = Stream.generate(samples::randomAction).limit(seed & 7).toList();

        assertThat(ActionWire.decodeBatch(ActionWire.encodeBatch(actions))).isEqualTo(actions);
    }

    @Property(tries = 300)
    void aConfigComesBackAsItWas(@ForAll long seed) {
        Config config = new Samples(new Random(seed)).config();

        assertThat(ConfigWire.decode(ConfigWire.encode(config))).isEqualTo(config);
    }

    @Property(tries = 1500)
    void anyBytesGiveAValueOrACodecException(@ForAll byte[] bytes) {
        Bytes message = Bytes.copyOf(bytes);

        assertValueOrRefusal(message, EventWire::decode);
        assertValueOrRefusal(message, ActionWire::decode);
        assertValueOrRefusal(message, ActionWire::decodeBatch);
        assertValueOrRefusal(message, ConfigWire::decode);
        assertValueOrRefusal(message, EventWire::entryOf);
    }

    @Property(tries = 1500)
    void aDamagedEventGivesAValueOrACodecException(@ForAll long seed) {
        var random = new Random(seed);
        byte[] bytes = EventWire.encode(new Samples(random).event()).toArray();
        damage(bytes, random);

        assertValueOrRefusal(Bytes.wrap(bytes), EventWire::decode);
    }

    @Property(tries = 1500)
    void aDamagedBatchGivesAValueOrACodecException(@ForAll long seed) {
        var random = new Random(seed);
        var samples = new Samples(random);
        byte[] bytes =
                ActionWire.encodeBatch(Stream.generate(samples::randomAction).limit(3).toList())
                        .toArray();
        damage(bytes, random);

        assertValueOrRefusal(Bytes.wrap(bytes), ActionWire::decodeBatch);
    }

    private static void damage(byte[] bytes, Random random) {
        for (int i = random.nextInt(4); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) (1 << random.nextInt(8));
        }
    }

    /** What decodes must be a record that can be written again, and the same when it is. */
    private static void assertValueOrRefusal(Bytes message, Function<Bytes, Object> decode) {
        try {
            Object value = decode.apply(message);
            assertThat(value).isNotNull();
            switch (value) {
                case Event e -> assertThat(EventWire.decode(EventWire.encode(e))).isEqualTo(e);
                case Action a -> assertThat(ActionWire.decode(ActionWire.encode(a))).isEqualTo(a);
                case Config c -> assertThat(ConfigWire.decode(ConfigWire.encode(c))).isEqualTo(c);
                default -> {}
            }
        } catch (CodecException refused) {
            assertThat(refused).hasMessageStartingWith("zap: ");
        }
    }
}
