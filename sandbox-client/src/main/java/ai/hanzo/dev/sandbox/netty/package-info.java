/**
 * Whole packets over a {@code SOCK_SEQPACKET} descriptor, on Netty's event loop. Only {@code
 * ai.hanzo.dev.sandbox} calls this, and nothing of Netty shows. Begin at {@link
 * ai.hanzo.dev.sandbox.netty.PacketLoop}.
 */
@NullMarked
package ai.hanzo.dev.sandbox.netty;

import org.jspecify.annotations.NullMarked;
