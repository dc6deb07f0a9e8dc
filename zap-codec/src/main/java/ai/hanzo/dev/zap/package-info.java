/**
 * The ZAP wire format: {@link ai.hanzo.dev.zap.ZapReader} opens and reads messages without copying
 * them, {@link ai.hanzo.dev.zap.ZapWriter} builds them. Bytes from outside are hostile: every way
 * in ends in a value or a {@link ai.hanzo.dev.zap.CodecException}. Uses the JDK only.
 */
@NullMarked
package ai.hanzo.dev.zap;

import org.jspecify.annotations.NullMarked;
