package ai.hanzo.dev.host.secret;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Optional;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key of one session: two keys are derived from it by HKDF-SHA-256 (RFC 5869), one that seals
 * bodies and one that names values too short to be named by their digest. Immutable; safe for all
 * threads.
 */
final class SessionKey {
    private static final String HKDF = "HKDF-SHA256";
    private static final String HMAC = "HmacSHA256";

    private final OrgId org;
    private final SessionId session;
    private final Bytes secret;
    private final Envelope envelope;
    private final SecretKeySpec naming;

    private SessionKey(OrgId org, SessionId session, Bytes secret, SecureRandom random) {
        this.org = org;
        this.session = session;
        this.secret = secret;
        this.envelope = new Envelope(derive(secret, "seal"), random);
        this.naming = new SecretKeySpec(derive(secret, "name").toArray(), HMAC);
    }

    /** A new one. */
    static SessionKey fresh(OrgId org, SessionId session, SecureRandom random) {
        byte[] secret = new byte[Envelope.KEY_BYTES];
        random.nextBytes(secret);
        return new SessionKey(org, session, Bytes.wrap(secret), random);
    }

    /** The one that was wrapped; empty if that was under another key than {@code wrapping}. */
    static Optional<SessionKey> unwrap(
            OrgId org, SessionId session, Bytes wrapped, Envelope wrapping, SecureRandom random) {
        return wrapping.open(wrapped, org + "/" + session)
                .map(secret -> new SessionKey(org, session, secret, random));
    }

    Bytes wrap(Envelope wrapping) {
        return wrapping.seal(secret, org + "/" + session);
    }

    Bytes seal(Sha256 name, Bytes content) {
        return envelope.seal(content, place(name));
    }

    Optional<Bytes> open(Sha256 name, Bytes sealed) {
        return envelope.open(sealed, place(name));
    }

    private String place(Sha256 name) {
        return org + "/" + session + "/" + name.toHex();
    }

    /** Stands for a value, and tells nothing of it: the same value has the same name. */
    Sha256 nameOf(String value) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(naming);
            return new Sha256(Bytes.wrap(mac.doFinal(value.getBytes(StandardCharsets.UTF_8))));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }

    private static Bytes derive(Bytes secret, String purpose) {
        try {
            var how =
                    HKDFParameterSpec.expandOnly(
                            new SecretKeySpec(secret.toArray(), "Generic"),
                            ("hanzo dev/body/" + purpose).getBytes(StandardCharsets.UTF_8),
                            Envelope.KEY_BYTES);
            return Bytes.wrap(KDF.getInstance(HKDF).deriveData(how));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java 25 platform has " + HKDF, e);
        }
    }
}
