package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.RequestDigest;
import ai.hanzo.dev.ledger.IdempotencyKey;
import ai.hanzo.dev.protocol.Sha256;
import com.google.protobuf.Message;
import java.util.Optional;

/** The idempotency keys of requests, each bound to what was requested. No state. */
final class RequestKeys {
    private RequestKeys() {}

    /**
     * The key of {@code request}, if it has one.
     *
     * @param key as it was given; looked at only if {@code isGiven}
     * @throws OpException if it is none
     */
    static Optional<IdempotencyKey> of(boolean isGiven, String key, Message request) {
        if (!isGiven) {
            return Optional.empty();
        }
        try {
            return Optional.of(new IdempotencyKey(key, Sha256.parse(RequestDigest.of(request))));
        } catch (IllegalArgumentException e) {
            throw OpException.invalid("idempotency key", String.valueOf(e.getMessage()));
        }
    }
}
