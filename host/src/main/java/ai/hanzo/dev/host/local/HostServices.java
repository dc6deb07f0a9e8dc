package ai.hanzo.dev.host.local;

import ai.hanzo.dev.host.op.DevService;
import ai.hanzo.dev.host.op.SessionFiles;
import ai.hanzo.dev.host.op.ShellSource;
import ai.hanzo.dev.host.op.StreamSource;
import java.util.List;

/**
 * What a host serves, opened. Closing drains: turns that run stay recorded and go on under the next
 * host. Any thread; closed once.
 */
public interface HostServices extends AutoCloseable {
    /** Opens the services of a host. */
    interface Opener {
        /**
         * Opens them, which may take seconds.
         *
         * @param serve what was asked
         * @param stop to be run when the host has to end by itself; any thread, at once
         */
        HostServices open(Serve serve, Runnable stop);
    }

    DevService service();

    StreamSource streams();

    ShellSource shells();

    SessionFiles files();

    /** From now on this is masked in all that is recorded. */
    void keepSecret(String secret);

    /** What keeps the host from taking work now, a sentence each; empty when it is ready. */
    List<String> missing();

    /** True while any session runs a turn: then the host does not end for idleness. */
    boolean busy();

    @Override
    void close();
}
