package ai.hanzo.dev.host.core;

import ai.hanzo.dev.protocol.Bytes;
import java.util.List;
import java.util.stream.Stream;

/**
 * The current core and those of former releases, kept for the sessions that still need them: one
 * that was in a turn stays on its core until it rests. Safe for all threads.
 */
public final class CoreShelf implements Cores {
    private final Cores current;
    private final List<Cores> retired;

    /** Closing it closes all of them. */
    public CoreShelf(Cores current, List<Cores> retired) {
        this.current = current;
        this.retired = List.copyOf(retired);
    }

    /** The cores that are compiled into this host. No release has retired one yet. */
    public static CoreShelf builtIn(CoreLimits limits) {
        return new CoreShelf(new WasmCores(limits), List.of());
    }

    @Override
    public CoreDigest current() {
        return current.current();
    }

    @Override
    public boolean holds(CoreDigest digest) {
        return holding(digest).current().equals(digest);
    }

    @Override
    public Core open(CoreDigest digest, Bytes config) {
        return holding(digest).open(digest, config);
    }

    @Override
    public Core restore(CoreDigest digest, Bytes snapshot) {
        return holding(digest).restore(digest, snapshot);
    }

    /** One that is not here is the current ones' to refuse. */
    private Cores holding(CoreDigest digest) {
        return Stream.concat(Stream.of(current), retired.stream())
                .filter(cores -> cores.current().equals(digest))
                .findFirst()
                .orElse(current);
    }

    @Override
    public void close() {
        retired.forEach(Cores::close);
        current.close();
    }
}
