/**
 * A session's journal as server-sent events (WHATWG HTML, section 9.2), written by hand so that
 * each recorded entry carries its sequence as its id. Begin at {@link
 * ai.hanzo.dev.host.surface.sse.StreamRoute}.
 */
@NullMarked
package ai.hanzo.dev.host.surface.sse;

import org.jspecify.annotations.NullMarked;
