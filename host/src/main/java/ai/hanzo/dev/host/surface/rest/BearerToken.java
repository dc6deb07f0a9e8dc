package ai.hanzo.dev.host.surface.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.host.op.Caller;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * One token for one caller: the local host's. Keeps only the token's digest; digests are compared
 * in constant time, so that neither length nor a common prefix shows. Any thread.
 */
public final class BearerToken implements Authenticator {
    /** What a token must have at least: 128 bits in base 64. */
    private static final int MIN_CHARACTERS = 22;

    private final byte[] digest;
    private final Caller caller;

    /**
     * A token and whom it stands for.
     *
     * @throws IllegalArgumentException when the token is too short to be a secret
     */
    public BearerToken(String token, Caller caller) {
        if (token.length() < MIN_CHARACTERS) {
            throw new IllegalArgumentException(
                    "a token has at least "
                            + MIN_CHARACTERS
                            + " characters, not "
                            + token.length());
        }
        this.digest = sha256(token);
        this.caller = caller;
    }

    @Override
    public Optional<Caller> caller(String token) {
        return MessageDigest.isEqual(digest, sha256(token))
                ? Optional.of(caller)
                : Optional.empty();
    }

    private static byte[] sha256(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }
}
