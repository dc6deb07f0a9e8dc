package ai.hanzo.dev.host.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.host.core.BrittleCores;
import ai.hanzo.dev.host.core.CoreException;
import ai.hanzo.dev.host.core.CoreLimits;
import ai.hanzo.dev.host.core.SnapshotSeal;
import ai.hanzo.dev.host.core.WasmCores;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.wire.ConfigWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a session whose core traps. */
final class CoreSeatTest {
    private static final Bytes CONFIG =
            ConfigWire.encode(new Config("", "", "", List.of(), Config.Limits.DEFAULTS));

    private final BrittleCores cores = new BrittleCores(new WasmCores(CoreLimits.DEFAULTS));

    @AfterEach
    void close() {
        cores.close();
    }

    private CoreSeat seat() {
        var seat =
                new CoreSeat(
                        cores,
                        cores.current(),
                        new SessionId("ses_01m8myr2rjf5maveh1e6wm5zxd"),
                        new SnapshotSeal(Bytes.wrap(new byte[32])));
        seat.open(CONFIG);
        return seat;
    }

    private static Bytes turn(int id) {
        return EventWire.encode(new Event.Turn(new TurnId(id), "go", List.of()), new Seq(id + 1));
    }

    @Test
    void aCoreThatTrapsIsBroughtBackAndTheEventIsTriedOnceMore() {
        try (CoreSeat whole = seat();
                CoreSeat brittle = seat()) {
            whole.eaten(new Seq(1));
            brittle.eaten(new Seq(1));
            Bytes expected = whole.step(turn(1));
            cores.breakNext(1);
            assertThat(brittle.step(turn(1))).isEqualTo(expected);
            whole.eaten(new Seq(2));
            brittle.eaten(new Seq(2));
            assertThat(brittle.due(true)).isPresent().isEqualTo(whole.due(true));
            assertThat(brittle.step(turn(2))).isEqualTo(whole.step(turn(2)));
        }
    }

    @Test
    void aCoreThatTrapsAgainIsGivenUp() {
        try (CoreSeat seat = seat()) {
            seat.eaten(new Seq(1));
            cores.breakNext(2);
            assertThatThrownBy(() -> seat.step(turn(1)))
                    .isInstanceOfSatisfying(
                            CoreException.class,
                            e -> assertThat(e.code()).isEqualTo(CoreException.Code.PANIC));
        }
    }

    @Test
    void withoutAStateToGoBackToATrapIsToldAtOnce() {
        try (CoreSeat seat = seat()) {
            cores.breakNext(1);
            assertThatThrownBy(() -> seat.step(turn(1))).isInstanceOf(CoreException.class);
        }
    }

    @Test
    void whatTheCoreRefusesIsNotTriedAgain() {
        try (CoreSeat seat = seat()) {
            seat.eaten(new Seq(1));
            assertThatThrownBy(() -> seat.step(Bytes.utf8("junk")))
                    .isInstanceOfSatisfying(
                            CoreException.class,
                            e -> assertThat(e.code()).isEqualTo(CoreException.Code.MALFORMED));
        }
    }

    @Test
    void aSnapshotIsDueWhenTheSessionRestsAndAfterSoManyInputs() {
        try (CoreSeat seat = seat()) {
            assertThat(seat.due(true)).isEmpty();
            for (int round = 0; round < 2; round++) {
                for (int i = 1; i <= Snapshot.MOST_BEHIND; i++) {
                    seat.eaten(new Seq(round * 100 + i));
                    assertThat(seat.due(false)).isEmpty();
                }
                Seq last = new Seq(round * 100 + Snapshot.MOST_BEHIND + 1);
                seat.eaten(last);
                assertThat(seat.due(false)).map(Snapshot::through).contains(last);
                assertThat(seat.due(true)).isEmpty();
            }
            seat.eaten(new Seq(300));
            Snapshot rests = seat.due(true).orElseThrow();
            assertThat(rests.through()).isEqualTo(new Seq(300));
            seat.restore(rests);
            assertThat(seat.due(true)).isEmpty();
        }
    }
}
