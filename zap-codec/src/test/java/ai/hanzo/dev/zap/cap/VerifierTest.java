package ai.hanzo.dev.zap.cap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.ZapWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class VerifierTest {
    private static final byte[] ALICE = seed(1);
    private static final byte[] BOB = seed(2);
    private static final Sha256 CAROL = hash(seed(3));
    private static final Sha256 TARGET = Sha256.of(Bytes.utf8("target"));
    private static final long READ = 1;
    private static final long WRITE = 2;
    private static final long NOW = 1000;

    private final Verifier verifier = new Verifier(Ed25519Keys::byHash, _ -> false);

    /** What a capability says, with something valid for all that a test does not set. */
    private static final class Draft {
        private long kind = 16;
        private Sha256 target = TARGET;
        private Sha256 holder = hash(BOB);
        private byte[] issuer = ALICE;
        private long permissions = READ | WRITE | Capability.DELEGATE;
        private Sha256 parent = new Sha256(Bytes.wrap(new byte[32]));
        private long expiresAt = 2000;
        private List<byte[]> caveats = List.of();

        Capability signed() {
            byte[] unsigned = bytes(new byte[64]);
            Bytes body = Capability.parse(Bytes.wrap(unsigned)).signed();
            return Capability.parse(Bytes.wrap(bytes(Ed25519Keys.sign(issuer, body.toArray()))));
        }

        private byte[] bytes(byte[] signature) {
            ZapWriter writer = ZapWriter.of(1);
            int object = writer.startObject(Capability.OBJECT_BYTES);
            writer.u32(object, 0, (int) kind);
            writer.fixed(object, 4, target.bytes().toArray());
            writer.fixed(object, 36, holder.bytes().toArray());
            writer.fixed(object, 68, hash(issuer).bytes().toArray());
            writer.u64(object, 100, permissions);
            writer.fixed(object, 108, parent.bytes().toArray());
            writer.u64(object, 140, 500);
            writer.u64(object, 148, expiresAt);
            int list = writer.startList();
            caveats.forEach(writer::addEntry);
            writer.endList();
            writer.list(object, 156, list, caveats.size());
            writer.fixed(object, 164, signature);
            writer.u8(object, Capability.OBJECT_BYTES - 1, Capability.ED25519);
            writer.finishRoot(object);
            return writer.toByteArray();
        }
    }

    private static Capability signed(Consumer<Draft> changes) {
        var draft = new Draft();
        changes.accept(draft);
        return draft.signed();
    }

    private static byte[] caveat(int kind, byte[] value) {
        ZapWriter writer = ZapWriter.of(1);
        int object = writer.startObject(12);
        writer.u32(object, 0, kind);
        writer.bytes(object, 4, value);
        writer.finishRoot(object);
        return writer.toByteArray();
    }

    private static byte[] seed(int value) {
        byte[] seed = new byte[32];
        Arrays.fill(seed, (byte) value);
        return seed;
    }

    private static Sha256 hash(byte[] seed) {
        return Sha256.of(Bytes.wrap(Ed25519Keys.rawPublicKey(seed)));
    }

    private static Verifier.Request request(long operation, Sha256 holder) {
        return new Verifier.Request(operation, TARGET, holder, NOW);
    }

    private static void assertRefused(String why, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        CodecException.class,
                        e -> assertThat(e.code()).isEqualTo(CodecException.Code.BAD_CAPABILITY))
                .hasMessageContaining(why);
    }

    /** Bob's capability for Carol, out of the one that he holds. */
    private static Capability child(Capability parent, Consumer<Draft> changes) {
        return signed(draft -> {
            draft.issuer = BOB;
            draft.holder = CAROL;
            draft.permissions = READ;
            draft.parent = parent.id();
            changes.accept(draft);
        });
    }

    @Test
    void aRootGrantsWhatItPermits() {
        Capability root = signed(_ -> {});

        Verifier.Grant grant =
                verifier.verifyChain(root, List.of(), request(READ | WRITE, hash(BOB)));

        assertThat(grant.permissions()).isEqualTo(root.permissions());
    }

    @Test
    void everyBitOfAnOperationIsNeeded() {
        Capability root = signed(draft -> draft.permissions = READ);

        assertRefused(
                "all of the operation",
                () -> verifier.verifyChain(root, List.of(), request(READ | WRITE, hash(BOB))));
        assertRefused(
                "all of the operation",
                () -> verifier.verifyChain(root, List.of(), request(0, hash(BOB))));
    }

    @Test
    void theLastSecondStillHolds() {
        Capability root = signed(_ -> {});

        verifier.verify(root, 2000);
        assertRefused("expired", () -> verifier.verify(root, 2001));
        verifier.verify(signed(draft -> draft.expiresAt = 0), Long.MAX_VALUE);
    }

    @Test
    void aRevokedCapabilityDoesNotHoldAndCannotBeRenamedByItsPadding() {
        Capability root = signed(_ -> {});
        var revoking = new Verifier(Ed25519Keys::byHash, root.id()::equals);
        byte[] other = root.message().toArray();
        other[16 + 164 + 100] = 1;

        assertRefused("revoked", () -> revoking.verify(root, NOW));
        assertRefused("padded", () -> Capability.parse(Bytes.wrap(other)));
    }

    @Test
    void anyChangedByteIsRefused() {
        Capability root = signed(draft -> draft.caveats = List.of(caveat(4, new byte[] {1, 2})));
        byte[] message = root.message().toArray();

        for (int i = 0; i < message.length; i++) {
            boolean isPaddingOfTheMessage = i >= 16 + Capability.OBJECT_BYTES && message[i] == 0;
            byte[] changed = message.clone();
            changed[i] ^= 0x10;
            Bytes bytes = Bytes.wrap(changed);
            if (!isPaddingOfTheMessage && i != 7) {
                assertThatThrownBy(() -> verifier.verify(Capability.parse(bytes), NOW))
                        .as("byte " + i)
                        .isInstanceOf(CodecException.class);
            }
        }
    }

    @Test
    void aChainEndsAtARootAndAddsUpItsCaveats() {
        Capability root = signed(draft -> draft.caveats = List.of(caveat(4, new byte[] {1})));
        Capability leaf = child(root, draft -> draft.caveats = List.of(caveat(8, new byte[] {2})));

        Verifier.Grant grant = verifier.verifyChain(leaf, List.of(root), request(READ, CAROL));

        assertThat(grant.caveats().stream().map(Caveat::kind))
                .containsExactly(Caveat.Kind.AUDIENCE, Caveat.Kind.IP_CIDR);
        assertRefused(
                "ends before a root",
                () -> verifier.verifyChain(leaf, List.of(), request(READ, CAROL)));
    }

    @Test
    void aChildGrantsNoMoreThanItsParentInAnyWay() {
        Capability root = signed(_ -> {});
        Capability sealed = signed(draft -> draft.permissions = READ | WRITE);

        assertLink("permits more", root, draft -> draft.permissions = READ | 4);
        assertLink("holds longer", root, draft -> draft.expiresAt = 2001);
        assertLink("holds longer", root, draft -> draft.expiresAt = 0);
        assertLink("kind or target", root, draft -> draft.kind = 17);
        assertLink("not issued by the holder", root, draft -> draft.issuer = ALICE);
        assertLink("may not be attenuated", sealed, _ -> {});
        assertLink("another parent", root, draft -> draft.parent = sealed.id());
    }

    private void assertLink(String why, Capability parent, Consumer<Draft> changes) {
        Capability leaf = child(parent, changes);
        assertRefused(why, () -> verifier.verifyChain(leaf, List.of(parent), request(READ, CAROL)));
    }

    @Test
    void anotherTargetOrHolderIsRefused() {
        Capability root = signed(_ -> {});

        assertRefused(
                "another holder",
                () -> verifier.verifyChain(root, List.of(), request(READ, CAROL)));
        Capability elsewhere = signed(draft -> draft.target = CAROL);
        assertRefused(
                "another target",
                () -> verifier.verifyChain(elsewhere, List.of(), request(READ, hash(BOB))));
    }

    @Test
    void anUnknownCaveatOrSchemeIsRefused() {
        assertRefused(
                "unknown caveat",
                () -> signed(draft -> draft.caveats = List.of(caveat(10, new byte[0]))));
        byte[] message = signed(_ -> {}).message().toArray();
        message[16 + Capability.OBJECT_BYTES - 1] = 3;
        assertRefused("scheme 3", () -> Capability.parse(Bytes.wrap(message)));
    }

    @Test
    void anIssuerWithoutAKeyIsUnknown() {
        var nobody = new Verifier(_ -> Optional.empty(), _ -> false);

        assertRefused("issuer is unknown", () -> nobody.verify(signed(_ -> {}), NOW));
    }

    @Test
    void bytesAfterTheMessageAreRefused() {
        byte[] message = signed(_ -> {}).message().toArray();

        assertThatThrownBy(() ->
                        Capability.parse(Bytes.wrap(Arrays.copyOf(message, message.length + 1))))
                .isInstanceOf(CodecException.class);
    }
}
