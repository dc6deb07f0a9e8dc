package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.host.core.SnapshotSeal.Place;
import ai.hanzo.dev.protocol.Bytes;
import org.junit.jupiter.api.Test;

/** D12: a snapshot that was not sealed by this host is not restored. */
final class SnapshotSealTest {
    private static final Bytes KEY = Bytes.utf8("0123456789abcdef0123456789abcdef");
    private static final CoreDigest CORE = CoreDigest.of(new byte[] {1});
    private static final Place PLACE = new Place("ses_1", 7, CORE);
    private static final Bytes STATE = Bytes.utf8("a state");

    private final SnapshotSeal seal = new SnapshotSeal(KEY);

    private void assertForged(Place place, Bytes state, Bytes mac) {
        assertThatThrownBy(() -> seal.check(place, state, mac))
                .isInstanceOfSatisfying(
                        CoreException.class,
                        e -> assertThat(e.code()).isEqualTo(CoreException.Code.FORGED));
    }

    @Test
    void d12TheStateThatWasSealedIsTaken() {
        Bytes mac = seal.seal(PLACE, STATE);
        assertThat(mac.length()).isEqualTo(SnapshotSeal.BYTES);
        seal.check(PLACE, STATE, mac);
    }

    @Test
    void d12AForgedStateIsRefused() {
        Bytes mac = seal.seal(PLACE, STATE);
        assertForged(PLACE, Bytes.utf8("b state"), mac);
        assertForged(PLACE, Bytes.empty(), mac);
        assertForged(PLACE, STATE, Bytes.empty());
        assertForged(PLACE, STATE, mac.slice(0, 31));
        assertForged(PLACE, STATE, new SnapshotSeal(Bytes.wrap(new byte[32])).seal(PLACE, STATE));
    }

    @Test
    void d12EveryFlippedBitOfASealIsRefused() {
        byte[] mac = seal.seal(PLACE, STATE).toArray();
        for (int bit = 0; bit < 8 * mac.length; bit++) {
            byte[] flipped = mac.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertForged(PLACE, STATE, Bytes.wrap(flipped));
        }
    }

    @Test
    void d12AStateOfAnotherPlaceIsRefused() {
        Bytes mac = seal.seal(PLACE, STATE);
        assertForged(new Place("ses_2", 7, CORE), STATE, mac);
        assertForged(new Place("ses_1", 6, CORE), STATE, mac);
        assertForged(new Place("ses_1", 7, CoreDigest.of(new byte[] {2})), STATE, mac);
    }

    /** As Python's hmac gives it. */
    @Test
    void theSealStaysTheSameFromReleaseToRelease() {
        assertThat(seal.seal(PLACE, STATE).toHex())
                .isEqualTo("3d6a30eb53de2a3aa882443421c792390910d2ff98bb577f39f7789428beab4c");
    }

    @Test
    void aShortKeyIsRefused() {
        assertThatThrownBy(() -> new SnapshotSeal(Bytes.utf8("short")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
