package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.sandbox.netty.PacketLoop;
import ai.hanzo.dev.zap.dev.CellOp;
import ai.hanzo.dev.zap.dev.CellRequestBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * A request to a cell, built but not yet numbered. The same values give the same bytes, so that a
 * request that is sent again has the digest of the first. Immutable.
 *
 * <pre>
 * message header: root offset @8 u32
 * CellRequest:    request @16 u64, epoch @24 u64, lowWater @32 u64, digest @40 32 bytes
 * </pre>
 *
 * The digest is SHA-256 of the message with these 56 bytes zero ({@code wasm/dev.zap}).
 */
final class CellPacket {

    private static final int ROOT_AT = 8;
    private static final int REQUEST_AT = 16;
    private static final int EPOCH_AT = 24;
    private static final int LOW_WATER_AT = 32;
    private static final int DIGEST_AT = 40;

    private final CellOp op;
    private final long action;
    private final byte[] message;
    private final Optional<Bytes> digest;

    private CellPacket(CellOp op, long action, byte[] message, boolean isEffect) {
        this.op = op;
        this.action = action;
        this.message = message;
        this.digest =
                isEffect ? Optional.of(Sha256.of(Bytes.wrap(message)).bytes()) : Optional.empty();
    }

    /** An effect under an action id. */
    static CellPacket effect(CellOp op, ActionId action, CellRequestBuilder request) {
        return new CellPacket(op, action.value(), message(op, action.value(), request), true);
    }

    /** Something about an action that is no effect itself. */
    static CellPacket about(CellOp op, ActionId action, CellRequestBuilder request) {
        return about(op, action.value(), request);
    }

    /** Something about a watch, by its handle. */
    static CellPacket about(CellOp op, long handle, CellRequestBuilder request) {
        return new CellPacket(op, handle, message(op, handle, request), false);
    }

    /** A read. */
    static CellPacket look(CellOp op, CellRequestBuilder request) {
        return new CellPacket(op, 0, message(op, 0, request), false);
    }

    private static byte[] message(CellOp op, long action, CellRequestBuilder request) {
        return request.kind(op).action(action).toMessage();
    }

    CellOp op() {
        return op;
    }

    long action() {
        return action;
    }

    /** The digest of an effect. */
    Optional<Bytes> digest() {
        return digest;
    }

    /** Whether its answer may take longer than to look something up. */
    boolean isSlow() {
        return digest.isPresent() || op == CellOp.SEARCH;
    }

    boolean isTooLarge() {
        return message.length > PacketLoop.MAX_PACKET_BYTES;
    }

    int sizeBytes() {
        return message.length;
    }

    /** The packet to send. */
    byte[] numbered(long request, long epoch, long lowWater) {
        byte[] packet = message.clone();
        ByteBuffer buffer = ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN);
        int root = buffer.getInt(ROOT_AT);
        buffer.putLong(root + REQUEST_AT, request);
        buffer.putLong(root + EPOCH_AT, epoch);
        buffer.putLong(root + LOW_WATER_AT, lowWater);
        digest.ifPresent(bytes -> bytes.copyTo(packet, root + DIGEST_AT));
        return packet;
    }
}
