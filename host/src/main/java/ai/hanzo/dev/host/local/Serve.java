package ai.hanzo.dev.host.local;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What a host is asked to be.
 *
 * @param home its state directory
 * @param database a PostgreSQL URL; empty for the embedded one
 * @param address what to bind
 * @param port 0 for any free one
 * @param names that clients may call the server by, beside its loopback names
 * @param idleExit end after this long without a request and without work; empty: never
 * @param build what this program was built from
 */
public record Serve(
        Home home,
        Optional<String> database,
        String address,
        int port,
        Set<String> names,
        Optional<Duration> idleExit,
        String build) {
    private static final Duration IDLE_EXIT = Duration.ofMinutes(30);

    public Serve {
        names = Set.copyOf(names);
    }

    /** In the background of a laptop: any port of the loopback address, gone when not needed. */
    public static Serve background(Home home, String build) {
        return new Serve(
                home, Optional.empty(), "127.0.0.1", 0, Set.of(), Optional.of(IDLE_EXIT), build);
    }
}
