package ai.hanzo.dev.sandbox.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import java.nio.ByteBuffer;

/**
 * One receive buffer for all channels of an event loop: each packet is copied out before the next
 * is read, and pages for a fresh buffer would cost more than most packets. Buffers are given out on
 * the loop's thread alone.
 */
final class OneReceiveBuffer extends DefaultMaxMessagesRecvByteBufAllocator {

    private final int bytes;
    private final ByteBuf one;

    OneReceiveBuffer(int bytes) {
        this.bytes = bytes;
        this.one = Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(bytes));
    }

    @Override
    @SuppressWarnings("deprecation") // Netty's interface of handles
    public Handle newHandle() {
        return new One();
    }

    private final class One extends MaxMessageHandle {
        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            // Held by somebody against expectation: its bytes stay.
            return one.refCnt() == 1 ? one.clear().retain() : allocator.ioBuffer(bytes);
        }

        @Override
        public int guess() {
            return bytes;
        }
    }
}
