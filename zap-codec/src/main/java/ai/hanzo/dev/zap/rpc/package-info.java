/**
 * Calls over a byte stream: {@link ai.hanzo.dev.zap.rpc.Envelope} is one call or response, {@link
 * ai.hanzo.dev.zap.rpc.FrameReader} cuts a stream into frames. Nothing here does I/O or has a
 * clock: bytes come in, bytes go out.
 */
@NullMarked
package ai.hanzo.dev.zap.rpc;

import org.jspecify.annotations.NullMarked;
