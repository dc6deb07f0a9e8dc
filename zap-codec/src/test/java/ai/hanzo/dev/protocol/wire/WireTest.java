package ai.hanzo.dev.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.dev.ActionBuilder;
import ai.hanzo.dev.zap.dev.ActionKind;
import ai.hanzo.dev.zap.dev.ActionsBuilder;
import ai.hanzo.dev.zap.dev.ConfigBuilder;
import ai.hanzo.dev.zap.dev.EditKind;
import ai.hanzo.dev.zap.dev.EmitKind;
import ai.hanzo.dev.zap.dev.EventBuilder;
import ai.hanzo.dev.zap.dev.EventKind;
import ai.hanzo.dev.zap.dev.FailureCode;
import ai.hanzo.dev.zap.dev.OutcomeKind;
import ai.hanzo.dev.zap.dev.PlanStatus;
import ai.hanzo.dev.zap.dev.Purpose;
import ai.hanzo.dev.zap.dev.ReadBuilder;
import ai.hanzo.dev.zap.dev.ResultStatus;
import ai.hanzo.dev.zap.dev.Role;
import ai.hanzo.dev.zap.dev.ToolKind;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WireTest {

    @Test
    void everyCaseOfEventIsWrittenAndRead() {
        var samples = new Samples(new Random(1));
        for (int i = 0; i < Samples.EVENT_CASES; i++) {
            Event event = samples.event(i);
            assertThat(EventWire.decode(EventWire.encode(event))).isEqualTo(event);
        }
        assertThat(Event.class.getPermittedSubclasses()).hasSize(Samples.EVENT_CASES);
    }

    @Test
    void everyCaseOfOpIsWrittenAndRead() {
        var samples = new Samples(new Random(2));
        for (int i = 0; i < Samples.OP_CASES; i++) {
            Action action = samples.action(samples.op(i));
            assertThat(ActionWire.decode(ActionWire.encode(action))).isEqualTo(action);
        }
        assertThat(ActionKind.values()).hasSize(Samples.OP_CASES);
    }

    @Test
    void theEnumsOfRecordsAndSchemaHaveTheSameNames() {
        assertSameNames(Config.ToolKind.values(), ToolKind.values());
        assertSameNames(Event.FailureCode.values(), FailureCode.values());
        assertSameNames(Outcome.Status.values(), ResultStatus.values());
        assertSameNames(Op.Purpose.values(), Purpose.values());
        assertSameNames(Op.Role.values(), Role.values());
        assertSameNames(Op.EmitKind.values(), EmitKind.values());
        assertSameNames(Op.PlanStatus.values(), PlanStatus.values());
        assertSameNames(Op.TurnOutcome.values(), OutcomeKind.values());
        assertThat(EditKind.values()).hasSize(2);
        assertThat(Arrays.stream(EventKind.values()).map(Enum::name))
                .containsAll(Arrays.stream(Event.Family.values()).map(Enum::name).toList());
    }

    private static void assertSameNames(Enum<?>[] ours, Enum<?>[] schema) {
        assertThat(Arrays.stream(ours).map(Enum::name).toList())
                .isEqualTo(Arrays.stream(schema).map(Enum::name).toList());
    }

    @Test
    void anEventWithoutAnEntryHasEntryZero() {
        assertThat(EventWire.entryOf(EventWire.encode(new Event.Timer()))).isEqualTo(new Seq(0));
    }

    @Test
    void anActionWithoutAKindIsRefused() {
        assertRefused(new ActionBuilder().id(1).toMessage());
    }

    @Test
    void anActionWithoutTheStructOfItsKindIsRefused() {
        assertRefused(new ActionBuilder().id(1).kind(ActionKind.EXEC).toMessage());
        assertRefused(
                new ActionBuilder()
                        .id(1)
                        .kind(ActionKind.EXEC)
                        .read(new ReadBuilder().path("a"))
                        .toMessage());
    }

    @Test
    void anIdAboveTheBoundIsRefused() {
        assertRefused(new ActionBuilder().id(-1).kind(ActionKind.SAVE).toMessage());
        assertRefused(new ActionBuilder().id(0).kind(ActionKind.SAVE).toMessage());
    }

    private static void assertRefused(byte[] message) {
        assertThatThrownBy(() -> ActionWire.decode(Bytes.wrap(message)))
                .isInstanceOfSatisfying(
                        CodecException.class,
                        e -> assertThat(e.code()).isEqualTo(CodecException.Code.BAD_VALUE));
    }

    @Test
    void aConfigOfANewerFormatIsRefusedWithBothNumbers() {
        Bytes newer = Bytes.wrap(new ConfigBuilder().formatVersion(7).toMessage());

        assertThatThrownBy(() -> ConfigWire.decode(newer))
                .hasMessageContaining("format 7")
                .hasMessageContaining("format 1");
    }

    @Test
    void aBatchOfNothingIsAnEmptyList() {
        assertThat(ActionWire.decodeBatch(ActionWire.encodeBatch(List.of()))).isEmpty();
        assertThat(ActionWire.decodeBatch(Bytes.wrap(new ActionsBuilder().toMessage()))).isEmpty();
    }

    @Test
    void theSameActionAlwaysGivesTheSameBytes() {
        var action = new Action(new ActionId(7), new Op.Read("src/Main.java", 0, 100));

        assertThat(ActionWire.encode(action).toHex())
                .isEqualTo(
                        "5a415000"
                                + "0200"
                                + "0000"
                                + "38000000"
                                + "80000000" // the header
                                + "18000000"
                                + "0d000000" // Read: its path is 24 bytes on
                                + "0000000000000000"
                                + "6400000000000000"
                                + "7372632f4d61696e2e6a617661"
                                + "000000" // the path, padding
                                + "0200"
                                + "0000"
                                + "00000000"
                                + "0700000000000000" // Action
                                + "00000000"
                                + "c4ffffff" // no model; read is 60 bytes back
                                + "00".repeat(48));
    }

    @Test
    void aTruncatedEventIsRefusedAtEveryLength() {
        Bytes message = EventWire.encode(new Event.Answer(new ActionId(3), "yes"));

        for (int length = 0; length < message.length(); length++) {
            Bytes cut = message.slice(0, length);
            assertThatThrownBy(() -> EventWire.decode(cut)).isInstanceOf(CodecException.class);
        }
    }

    @Test
    void anEventOfAnUnknownKindIsRefused() {
        byte[] message = new EventBuilder().kind(EventKind.TIMER).toMessage();
        message[16] = 99;

        assertThatThrownBy(() -> EventWire.decode(Bytes.wrap(message)))
                .hasMessageContaining("99 is no EventKind");
    }
}
