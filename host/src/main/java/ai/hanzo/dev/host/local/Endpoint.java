package ai.hanzo.dev.host.local;

import java.net.URI;

/**
 * Where a host is and what opens it.
 *
 * @param local true when it is the one of this machine's state directory: only then do provider
 *     variables go with a session
 */
public record Endpoint(URI address, String token, boolean local) {
    /** Never the token. */
    @Override
    public String toString() {
        return address.toString();
    }
}
