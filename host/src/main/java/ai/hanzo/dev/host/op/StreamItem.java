package ai.hanzo.dev.host.op;

import ai.hanzo.dev.host.op.v1.JournalEntry;

/** What a follower of a session receives, in order. */
public sealed interface StreamItem {
    /** A committed entry: after each other, without gap or repeat. */
    record Entry(JournalEntry entry) implements StreamItem {}

    /** Text as it comes, never recorded. Dropped when the follower is slow. */
    record Delta(ai.hanzo.dev.host.op.v1.Delta delta) implements StreamItem {}

    /**
     * The entries after the one that was asked for cannot all be given (they are gone, or the
     * sequence is past the end of the journal). Following goes on after {@code reset.after}.
     */
    record Reset(ai.hanzo.dev.host.op.v1.Reset reset) implements StreamItem {}

    /** Nothing more will come: the session is stopped, or the host goes down. */
    record End(Reason reason) implements StreamItem {
        /** Why. */
        public enum Reason {
            /** There will be no more entries, ever. */
            STOPPED,
            /** Ask again, with the last sequence seen: another host or the next start goes on. */
            DRAINING
        }
    }
}
