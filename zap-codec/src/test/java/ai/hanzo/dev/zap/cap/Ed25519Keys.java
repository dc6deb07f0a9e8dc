package ai.hanzo.dev.zap.cap;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Ed25519 keys from seeds: those of the vectors, whose seeds are one byte repeated. */
public final class Ed25519Keys {
    private static final Map<Sha256, PublicKey> BY_HASH = new ConcurrentHashMap<>();

    private Ed25519Keys() {}

    /** The key with that digest among those whose seed is one byte repeated. */
    public static Optional<PublicKey> byHash(Sha256 hash) {
        if (BY_HASH.isEmpty()) {
            for (int i = 0; i < 256; i++) {
                byte[] seed = new byte[32];
                Arrays.fill(seed, (byte) i);
                BY_HASH.put(Sha256.of(Bytes.wrap(rawPublicKey(seed))), pair(seed).getPublic());
            }
        }
        return Optional.ofNullable(BY_HASH.get(hash));
    }

    /** The 32 bytes of RFC 8032. */
    public static byte[] rawPublicKey(byte[] seed) {
        byte[] encoded = pair(seed).getPublic().getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    }

    /** Signs. */
    public static byte[] sign(byte[] seed, byte[] message) {
        try {
            PrivateKey key =
                    KeyFactory.getInstance("Ed25519")
                            .generatePrivate(
                                    new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed));
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(key);
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The generator of the JDK asks its random source for the seed and nothing else. */
    private static KeyPair pair(byte[] seed) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
            generator.initialize(NamedParameterSpec.ED25519, new Fixed(seed));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Fixed extends SecureRandom {
        private static final long serialVersionUID = 1L;
        private final byte[] seed;

        Fixed(byte[] seed) {
            this.seed = seed.clone();
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
        }
    }
}
