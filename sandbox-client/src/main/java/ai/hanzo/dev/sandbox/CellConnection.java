package ai.hanzo.dev.sandbox;

import java.io.InputStream;
import java.io.OutputStream;

/**
 * One connection out of a cell. What waits on either side is bounded at 256 KiB.
 *
 * <p>Threads: one reader and one writer, each of which may block; {@link #close} from any.
 */
public interface CellConnection extends AutoCloseable {

    /** What the command sends, to its end. Closing it does nothing. */
    InputStream in();

    /** What the command hears. Closing it tells the end, and lets the other direction go on. */
    OutputStream out();

    /** Over at once unless both directions have ended. May be called twice. */
    @Override
    void close();
}
