/** What of the benchmarks must be in the host's own package; begin at {@code Loops}. */
@NullMarked
package ai.hanzo.dev.host.core;

import org.jspecify.annotations.NullMarked;
