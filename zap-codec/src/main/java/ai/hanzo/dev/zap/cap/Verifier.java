package ai.hanzo.dev.zap.cap;

import ai.hanzo.dev.protocol.Sha256;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Decides whether capabilities hold. Safe for all threads if the two functions are. Everything that
 * is wrong is a {@link ai.hanzo.dev.zap.CodecException} of code BAD_CAPABILITY.
 */
public final class Verifier {
    private final Function<Sha256, Optional<PublicKey>> keys;
    private final Predicate<Sha256> isRevoked;

    /**
     * A verifier.
     *
     * @param keys the Ed25519 key of an issuer, by the digest of its 32 raw bytes
     * @param isRevoked whether the capability of that id is revoked
     */
    public Verifier(Function<Sha256, Optional<PublicKey>> keys, Predicate<Sha256> isRevoked) {
        this.keys = keys;
        this.isRevoked = isRevoked;
    }

    /**
     * What a chain of capabilities grants.
     *
     * @param caveats those of every link: all must be met, by whoever grants the request
     */
    public record Grant(long permissions, List<Caveat> caveats) {
        public Grant {
            caveats = List.copyOf(caveats);
        }
    }

    /**
     * What is asked for.
     *
     * @param operation one or more permission bits; all are needed
     */
    public record Request(long operation, Sha256 target, Sha256 holder, long nowSeconds) {}

    /** Checks one capability by itself: its signature, its time, and that it is not revoked. */
    public void verify(Capability capability, long nowSeconds) {
        long expiry = capability.expiresAt();
        if (expiry != 0 && Long.compareUnsigned(nowSeconds, expiry) > 0) {
            throw Capability.refusal("it has expired");
        }
        if (isRevoked.test(capability.id())) {
            throw Capability.refusal("it is revoked");
        }
        PublicKey key =
                keys.apply(capability.issuer())
                        .orElseThrow(() -> Capability.refusal("its issuer is unknown"));
        if (!isSigned(capability, key)) {
            throw Capability.refusal("its signature is not that of its issuer");
        }
    }

    private static boolean isSigned(Capability capability, PublicKey key) {
        try {
            Signature ed25519 = Signature.getInstance("Ed25519");
            ed25519.initVerify(key);
            ed25519.update(capability.signed().toBuffer());
            return ed25519.verify(capability.signature(Capability.ED25519_BYTES));
        } catch (GeneralSecurityException e) {
            // A signature that cannot be one, or a key of another kind: it does not hold.
            return false;
        }
    }

    /**
     * Checks a capability and those that it attenuates, up to its root.
     *
     * @param parents the nearest first; empty if {@code leaf} is a root
     */
    public Grant verifyChain(Capability leaf, List<Capability> parents, Request request) {
        verify(leaf, request.nowSeconds());
        if (!leaf.target().equals(request.target())) {
            throw Capability.refusal("it is about another target");
        }
        if (!leaf.holder().equals(request.holder())) {
            throw Capability.refusal("it has another holder");
        }
        if (request.operation() == 0
                || (leaf.permissions() & request.operation()) != request.operation()) {
            throw Capability.refusal("it does not permit all of the operation");
        }
        var caveats = new ArrayList<Caveat>(leaf.caveats());
        Capability child = leaf;
        for (Capability parent : parents) {
            verify(parent, request.nowSeconds());
            checkLink(child, parent);
            caveats.addAll(parent.caveats());
            child = parent;
        }
        if (!child.isRoot()) {
            throw Capability.refusal("its chain ends before a root");
        }
        return new Grant(leaf.permissions(), caveats);
    }

    private static void checkLink(Capability child, Capability parent) {
        if (!child.parent().equals(parent.id())) {
            throw Capability.refusal("its chain names another parent");
        }
        if (!child.issuer().equals(parent.holder())) {
            throw Capability.refusal("it was not issued by the holder of its parent");
        }
        if ((parent.permissions() & Capability.DELEGATE) == 0) {
            throw Capability.refusal("its parent may not be attenuated");
        }
        if ((child.permissions() & ~parent.permissions()) != 0) {
            throw Capability.refusal("it permits more than its parent");
        }
        if (child.kind() != parent.kind() || !child.target().equals(parent.target())) {
            throw Capability.refusal("its kind or target is not that of its parent");
        }
        long limit = parent.expiresAt();
        boolean isLonger =
                child.expiresAt() == 0 || Long.compareUnsigned(child.expiresAt(), limit) > 0;
        if (limit != 0 && isLonger) {
            throw Capability.refusal("it holds longer than its parent");
        }
    }
}
