package ai.hanzo.dev.protocol.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class IdsTest {
    private final Uuid7 ids = new Uuid7(() -> Instant.ofEpochMilli(0x0123456789ABL), new Random(1));

    @Test
    void aUuidOfVersion7BeginsWithItsMilliseconds() {
        UUID uuid = ids.next();

        assertThat(uuid.version()).isEqualTo(7);
        assertThat(uuid.variant()).isEqualTo(2);
        assertThat(uuid.getMostSignificantBits() >>> 16).isEqualTo(0x0123456789ABL);
    }

    @Test
    void crockfordWritesAllBitsInOrder() {
        assertThat(Crockford.encode(new UUID(0, 0))).isEqualTo("0".repeat(26));
        assertThat(Crockford.encode(new UUID(-1, -1))).isEqualTo("7" + "z".repeat(25));
        assertThat(Crockford.encode(new UUID(0, 33))).endsWith("011");
        assertThat(Crockford.encode(new UUID(1, 0)))
                .isEqualTo("0".repeat(13) + "g" + "0".repeat(12));
    }

    @Test
    void anIdOfAnotherFormIsRefusedByName() {
        SessionId id = SessionId.next(ids);

        assertThat(new SessionId(id.value())).isEqualTo(id);
        assertThatThrownBy(() -> new SessionId("run_" + id.value().substring(4)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ses_");
        assertThatThrownBy(() -> new SessionId(id.value().toUpperCase(java.util.Locale.ROOT)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SessionId("ses_8" + "z".repeat(25)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new OrgId("../x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Seq(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
