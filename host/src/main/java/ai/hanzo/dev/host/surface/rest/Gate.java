package ai.hanzo.dev.host.surface.rest;

import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import io.javalin.http.Context;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps web pages out: a name in the Host header that is not this server's means DNS rebinding, a
 * foreign Origin a page that must not call. Any thread.
 */
final class Gate {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Set<String> names;
    private final Set<String> origins;

    Gate(RestConfig config) {
        this.names = config.hostNames();
        this.origins = config.origins();
    }

    void check(Context context) {
        String host =
                Optional.ofNullable(context.header("Host")).orElse("").toLowerCase(Locale.ROOT);
        if (!isOurs(withoutPort(host))) {
            throw OpException.of(
                    OpCode.FORBIDDEN_HOST,
                    "This server is not " + (host.isEmpty() ? "named" : host) + ".",
                    "Use its address, or name it with --name when it is served.");
        }
        String origin = context.header("Origin");
        if (origin != null && !origins.contains(origin) && !isSameOrigin(origin, host)) {
            throw OpException.of(
                    OpCode.FORBIDDEN_ORIGIN, "Pages of " + origin + " may not call this server.");
        }
    }

    private boolean isOurs(String name) {
        return LOOPBACK.contains(name) || names.contains(name);
    }

    private static boolean isSameOrigin(String origin, String host) {
        try {
            return host.equals(URI.create(origin.toLowerCase(Locale.ROOT)).getRawAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    }
}
