/**
 * Measures the core and the codec, beside others that do the same. Nothing calls this package but
 * JMH and {@code bench/run}; begin reading at {@link ai.hanzo.dev.bench.Conversation}.
 */
@NullMarked
package ai.hanzo.dev.bench;

import org.jspecify.annotations.NullMarked;
