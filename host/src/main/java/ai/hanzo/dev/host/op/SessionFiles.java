package ai.hanzo.dev.host.op;

import ai.hanzo.dev.host.op.v1.ImportRequest;
import ai.hanzo.dev.host.op.v1.Session;
import java.io.InputStream;

/**
 * Sessions that travel as files. Any thread; calls block. All throw {@link OpException} for what
 * the caller can understand.
 */
public interface SessionFiles {
    /** The whole session as one file; only one that rests, else {@link OpCode#CONFLICT}. */
    Outgoing export(Caller caller, String session);

    /**
     * Takes a session in, all of it or nothing; for the owner of the machine.
     *
     * @param file as {@link #export} gave it; read to its end or to its first fault
     */
    Session take(Caller caller, ImportRequest request, InputStream file);

    /** A file on its way out; whoever was given it closes it. */
    interface Outgoing extends AutoCloseable {
        /** How long it is. */
        long bytes();

        /** Its content from the beginning. */
        InputStream content();

        @Override
        void close();
    }
}
