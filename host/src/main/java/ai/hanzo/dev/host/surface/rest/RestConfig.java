package ai.hanzo.dev.host.surface.rest;

import java.time.Duration;
import java.util.Set;

/**
 * Where the server listens and what it lets in.
 *
 * @param host the address to bind; a loopback address unless the person said otherwise
 * @param port 0 for any free one
 * @param hostNames names, beside the loopback ones, that a Host header may carry (DNS rebinding)
 * @param origins origins of web pages that may call, beside the server's own
 * @param maxBodyBytes above it a body is refused with 413
 * @param heartbeat how often a quiet stream carries a comment; at most 15 s, because proxies cut
 *     streams that are quiet for longer
 * @param idleTimeout when a connection that moves no byte is closed; above the heartbeat
 */
public record RestConfig(
        String host,
        int port,
        Set<String> hostNames,
        Set<String> origins,
        int maxBodyBytes,
        Duration heartbeat,
        Duration idleTimeout) {
    private static final int MAX_BODY_BYTES = 16 << 20;
    private static final Duration MAX_HEARTBEAT = Duration.ofSeconds(15);

    public RestConfig {
        hostNames = Set.copyOf(hostNames);
        origins = Set.copyOf(origins);
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("a port is 0 to 65535, not " + port);
        }
        if (heartbeat.compareTo(MAX_HEARTBEAT) > 0 || heartbeat.compareTo(idleTimeout) >= 0) {
            throw new IllegalArgumentException("heartbeat " + heartbeat + " is too long");
        }
    }

    /** On the loopback address, for callers of this machine. */
    public static RestConfig loopback(int port) {
        return new RestConfig(
                "127.0.0.1",
                port,
                Set.of(),
                Set.of(),
                MAX_BODY_BYTES,
                Duration.ofSeconds(10),
                Duration.ofSeconds(60));
    }

    /** On another address, where clients name the server by {@code hostNames}. */
    public RestConfig bind(String address, Set<String> names) {
        return new RestConfig(address, port, names, origins, maxBodyBytes, heartbeat, idleTimeout);
    }

    /** With another heartbeat. */
    public RestConfig heartbeat(Duration every) {
        return new RestConfig(host, port, hostNames, origins, maxBodyBytes, every, idleTimeout);
    }
}
