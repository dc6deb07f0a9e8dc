package ai.hanzo.dev.host.op;

import ai.hanzo.dev.host.op.v1.ShellExit;
import ai.hanzo.dev.protocol.Bytes;
import java.time.Duration;
import java.util.Optional;

/** What a shell prints, as it comes. One thread takes; any may close. */
public interface ShellFeed extends AutoCloseable {
    /** What comes from a shell. */
    sealed interface Item {
        /**
         * It printed.
         *
         * @param offset of the first byte in all that it printed
         */
        record Output(long offset, Bytes bytes) implements Item {}

        /** It is over. */
        record Exit(ShellExit exit) implements Item {}

        /** This feed is over and the shell is not. */
        record Cut(Reason reason) implements Item {}
    }

    /** Why a feed ended before its shell. */
    enum Reason {
        /** Somebody else follows it now. */
        TAKEN,
        /** The host goes down: the next one goes on. */
        DRAINING
    }

    /** The next item; empty when none came in time. */
    Optional<Item> next(Duration wait) throws InterruptedException;

    /** Follows no more; the shell goes on. */
    @Override
    void close();
}
