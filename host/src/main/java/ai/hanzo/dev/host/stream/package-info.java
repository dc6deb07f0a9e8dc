/**
 * What followers of a session are shown: committed entries, read from the ledger when they are
 * there, and passing deltas. Called by the surfaces; begin at {@link
 * ai.hanzo.dev.host.stream.Streams}.
 */
@NullMarked
package ai.hanzo.dev.host.stream;

import org.jspecify.annotations.NullMarked;
