package ai.hanzo.dev.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BytesTest {

    @Test
    void aSliceEqualsACopyOfTheSameBytes() {
        Bytes bytes = Bytes.hex("00112233445566");

        assertThat(bytes.slice(2, 4))
                .isEqualTo(Bytes.hex("2233"))
                .hasSameHashCodeAs(Bytes.hex("2233"));
        assertThat(bytes.slice(3, 3)).isSameAs(Bytes.empty());
        assertThat(bytes.slice(1, 5).slice(1, 3).toHex()).isEqualTo("2233");
        assertThat(bytes.slice(2, 4).toBuffer().remaining()).isEqualTo(2);
    }

    @Test
    void nothingOutsideASliceCanBeReached() {
        Bytes slice = Bytes.hex("00112233").slice(1, 3);

        assertThatThrownBy(() -> slice.at(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> slice.at(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> slice.slice(0, 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> slice.slice(2, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(slice.toArray()).containsExactly(0x11, 0x22);
    }

    @Test
    void whatTheCallerKeepsCannotChangeTheBytes() {
        byte[] array = {1, 2};
        Bytes copy = Bytes.copyOf(array);
        array[0] = 9;
        copy.toArray()[1] = 9;

        assertThat(copy).isEqualTo(Bytes.hex("0102"));
    }

    @Test
    void aDigestIsThatOfTheContent() {
        assertThat(Sha256.of(Bytes.utf8("abc")).toHex())
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThatThrownBy(() -> new Sha256(Bytes.hex("00")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
