package ai.hanzo.dev.host.surface.rest;

import ai.hanzo.dev.host.op.Caller;
import java.util.Optional;

/** Tells from a bearer token who calls. Any thread. */
public interface Authenticator {
    /**
     * The caller whose token it is, or empty. Takes the same time for any wrong token.
     *
     * @param token what stood after {@code Bearer }; never empty
     */
    Optional<Caller> caller(String token);
}
