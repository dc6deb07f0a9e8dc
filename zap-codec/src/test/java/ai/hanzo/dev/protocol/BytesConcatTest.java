package ai.hanzo.dev.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BytesConcatTest {

    @Test
    void slicesAreJoinedWithoutTheirSurroundings() {
        Bytes first = Bytes.hex("00112233").slice(1, 3);
        Bytes second = Bytes.hex("aabbcc").slice(1, 2);

        assertThat(first.concat(second)).isEqualTo(Bytes.hex("1122bb"));
        assertThat(first.concat(Bytes.empty())).isEqualTo(Bytes.hex("1122"));
        assertThat(Bytes.empty().concat(second)).isEqualTo(Bytes.hex("bb"));
    }
}
