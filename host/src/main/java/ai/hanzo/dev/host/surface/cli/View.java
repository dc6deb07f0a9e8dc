package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.v1.Delta;
import ai.hanzo.dev.host.op.v1.DiffResponse;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.Session;

/** Shows a session as it goes. One thread. */
interface View {
    /** A session begins to be shown. */
    void session(Session session);

    /**
     * A recorded entry.
     *
     * @param json as the host sent it, on one line
     */
    void entry(JournalEntry entry, String json);

    /** Text as it comes. */
    void delta(Delta delta);

    /** A turn has ended: what it cost and what it changed. */
    void end(Session session, DiffResponse changed);
}
