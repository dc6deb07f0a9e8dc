package ai.hanzo.dev.zap.cap;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.CodecException;

/** A condition under which a capability holds; who grants something must check all of them. */
public record Caveat(Kind kind, Bytes value) {

    /**
     * The kinds of the public registry, by number from 0. An unknown one makes a capability void.
     */
    public enum Kind {
        EXPIRES_AT(0),
        MAX_AMOUNT(1),
        DEST_CHAIN(2),
        RATE_LIMIT(3),
        IP_CIDR(4),
        ASSET_ID(5),
        OP_ALLOW(6),
        MAX_DEPTH(7),
        AUDIENCE(8),
        NONCE_HASH(9);

        private static final Kind[] ALL = values();

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        /** The number on the wire. */
        public int number() {
            return number;
        }

        static Kind of(long number) {
            if (number >= ALL.length) {
                throw CodecException.of(
                        CodecException.Code.BAD_CAPABILITY, -1, "an unknown caveat, " + number);
            }
            return ALL[(int) number];
        }
    }
}
