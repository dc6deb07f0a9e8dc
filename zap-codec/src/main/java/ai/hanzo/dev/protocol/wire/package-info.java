/**
 * The records of {@link ai.hanzo.dev.protocol} as ZAP messages of {@code wasm/dev.zap}, and back.
 * Begin at {@link ai.hanzo.dev.protocol.wire.EventWire}. All methods are pure and safe for all
 * threads; what is decoded is read strictly.
 */
@NullMarked
package ai.hanzo.dev.protocol.wire;

import org.jspecify.annotations.NullMarked;
