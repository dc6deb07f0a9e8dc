package ai.hanzo.dev.host.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.ledger.Bodies;
import ai.hanzo.dev.ledger.Sealed;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.Uuid7;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VaultTest {
    private static final OrgId ORG = new OrgId("local");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Uuid7 IDS = new Uuid7(Clock.systemUTC(), RANDOM);
    private static final String TOKEN = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final Bytes KEY =
            Bytes.wrap(
                    "0123456789abcdef0123456789abcdef"
                            .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    private static final Bytes OTHER_KEY = Bytes.wrap(new byte[32]);

    private final SessionId session = SessionId.next(IDS);
    private final Kept kept = new Kept();

    /** The ledger's tables as maps. */
    private static final class Kept implements Bodies {
        private final Map<SessionId, Bytes> keys = new HashMap<>();
        private final Map<String, Bytes> bodies = new HashMap<>();

        void commit(SessionId session, Sealed sealed) {
            sealed.key().ifPresent(key -> keys.putIfAbsent(session, key));
            sealed.bodies()
                    .forEach(body -> bodies.putIfAbsent(session + "/" + body.name(), body.bytes()));
        }

        @Override
        public Optional<Bytes> key(OrgId org, SessionId session) {
            return Optional.ofNullable(keys.get(session));
        }

        @Override
        public Optional<Bytes> body(OrgId org, SessionId session, Sha256 name) {
            return Optional.ofNullable(bodies.get(session + "/" + name));
        }
    }

    private Vaults vaults(Bytes key) {
        return new Vaults(
                kept,
                Secrets.of(Map.of("SERVICE_TOKEN", "a-secret-of-the-host")),
                _ -> key,
                blob -> Bytes.utf8("stored " + blob.digest()),
                RANDOM);
    }

    private Vault vault() {
        return vaults(KEY).of(ORG, session);
    }

    private static Event.ModelReply calling(Op... ops) {
        return new Event.ModelReply(
                new ActionId(1),
                Optional.of("said"),
                List.of(ops).stream()
                        .map(op -> new Call("c", "tool", 9, new Call.Operation(op)))
                        .toList(),
                Event.Usage.NONE);
    }

    private static Op.Write write(String text) {
        return new Op.Write("a", Content.of(Bytes.utf8(text)), Optional.empty(), Optional.empty());
    }

    private static Op.Exec exec(String stdin, String value, String... argv) {
        return new Op.Exec(
                List.of(argv),
                "",
                Content.of(Bytes.utf8(stdin)),
                List.of(new Op.Variable("NAME", value), new Op.Variable("EMPTY", "")),
                0,
                false);
    }

    private static Op.Browse browse(String header, String body) {
        return new Op.Browse(
                "POST",
                "https://example.com/",
                List.of(new Op.Variable("Authorization", header)),
                Content.of(Bytes.utf8(body)),
                "");
    }

    private static String said(Event.ModelReply reply) {
        return ((Call.Invalid) reply.calls().getFirst().request()).message();
    }

    @Test
    void bodiesLeaveTheReplyAndComeBackAsTheyWere() {
        Event.ModelReply reply =
                calling(
                        write("w-body"),
                        exec("s-body", "e-value", "cat"),
                        browse("h-value", "b-body"));

        Vault.Recorded recorded = vault().record(reply);

        String bytes = EventWire.encode(recorded.reply()).toUtf8();
        assertThat(bytes).doesNotContain("w-body", "s-body", "e-value", "h-value", "b-body");
        for (Sealed.Body body : recorded.sealed().bodies()) {
            assertThat(body.bytes().toUtf8()).doesNotContain("-body", "-value");
        }
        assertThat(recorded.sealed().bodies()).hasSize(5);
        kept.commit(session, recorded.sealed());
        assertThat(vault().open(recorded.reply())).isEqualTo(reply);
        Op sealed = ((Call.Operation) recorded.reply().calls().get(1).request()).op();
        assertThat(vault().open(new Action(new ActionId(2), sealed)).op())
                .isEqualTo(exec("s-body", "e-value", "cat"));
    }

    /** The core finds a repeated call by its arguments. */
    @Test
    void theSameBodyHasTheSameNameAndAnotherInAnotherSession() {
        Event.ModelReply reply = calling(exec("in", "value", "cat"));
        Vault.Recorded first = vault().record(reply);
        kept.commit(session, first.sealed());
        assertThat(vault().record(reply).reply()).isEqualTo(first.reply());
        SessionId other = SessionId.next(IDS);
        assertThat(vaults(KEY).of(ORG, other).record(reply).reply()).isNotEqualTo(first.reply());
    }

    @Test
    void aValueThatLooksLikeANameIsAValue() {
        String value = References.of(Sha256.of(Bytes.utf8("x")));
        Vault.Recorded recorded = vault().record(calling(exec("", value, "cat")));
        kept.commit(session, recorded.sealed());
        assertThat(vault().open(recorded.reply())).isEqualTo(calling(exec("", value, "cat")));
    }

    @Test
    void aCommandWithASecretInItsWordsIsRefusedWithWhatToDo() {
        for (Op op :
                List.of(
                        exec("", "", "curl", "-H", "Authorization: Bearer " + TOKEN),
                        new Op.Git(List.of("push", "https://x:" + TOKEN + "@example.com/"), ""),
                        new Op.Read("a-secret-of-the-host", 0, 0))) {
            Vault.Recorded recorded = vault().record(calling(op));
            assertThat(said(recorded.reply()))
                    .contains("Give a command its secrets in env or stdin");
            assertThat(recorded.sealed()).isEqualTo(Sealed.NONE);
        }
    }

    @Test
    void whatWasHiddenIsNotWrittenBack() {
        String masked = vault().mask("key = " + TOKEN);
        Event.ModelReply reply = vault().record(calling(write(masked))).reply();
        assertThat(said(reply)).contains("what was hidden from you cannot be written back");
    }

    @Test
    void aPatchStaysUnlessThereIsASecretInIt() {
        Op.Patch plain = new Op.Patch(Content.of(Bytes.utf8("*** Begin Patch\n")));
        assertThat(vault().record(calling(plain)).reply()).isEqualTo(calling(plain));
        Op.Patch secret = new Op.Patch(Content.of(Bytes.utf8("+" + TOKEN)));
        Vault.Recorded recorded = vault().record(calling(secret));
        assertThat(EventWire.encode(recorded.reply()).toUtf8()).doesNotContain(TOKEN);
        kept.commit(session, recorded.sealed());
        assertThat(vault().open(recorded.reply())).isEqualTo(calling(secret));
    }

    @Test
    void anotherKeyOfTheOrganisationIsNamed() {
        Vault.Recorded recorded = vault().record(calling(write("text")));
        kept.commit(session, recorded.sealed());
        Vault other = vaults(OTHER_KEY).of(ORG, session);
        assertThatThrownBy(() -> other.open(recorded.reply()))
                .isInstanceOfSatisfying(
                        SecretException.class,
                        e -> assertThat(e.code()).isEqualTo(SecretException.Code.KEY))
                .hasMessageContaining("put the former keys/org.key back");
    }

    @Test
    void aChangedOrMovedBodyIsNotOpened() {
        Vault.Recorded recorded = vault().record(calling(write("one"), write("two")));
        kept.commit(session, recorded.sealed());
        Sealed.Body one = recorded.sealed().bodies().getFirst();
        Sealed.Body two = recorded.sealed().bodies().getLast();
        byte[] flipped = one.bytes().toArray();
        flipped[flipped.length - 1] ^= 1;
        for (Bytes wrong : List.of(Bytes.wrap(flipped), two.bytes(), Bytes.empty())) {
            kept.bodies.put(session + "/" + one.name(), wrong);
            assertThatThrownBy(() -> vault().open(recorded.reply()))
                    .isInstanceOfSatisfying(
                            SecretException.class,
                            e -> assertThat(e.code()).isEqualTo(SecretException.Code.CHANGED))
                    .hasMessageContaining(one.name().toHex());
        }
    }

    @Test
    void bodiesAreSealedAnewForACopy() {
        Vault.Recorded recorded = vault().record(calling(write("text"), exec("", "value", "a")));
        kept.commit(session, recorded.sealed());
        SessionId copy = SessionId.next(IDS);
        Sealed again =
                vault().sealedFor(
                                vaults(KEY).fresh(ORG, copy),
                                recorded.sealed().bodies().stream()
                                        .map(Sealed.Body::name)
                                        .toList());
        assertThat(again.key()).isPresent();
        kept.commit(copy, again);
        assertThat(vaults(KEY).of(ORG, copy).open(recorded.reply()))
                .isEqualTo(calling(write("text"), exec("", "value", "a")));
    }

    @Test
    void aContentOfBeforeThereWereVaultsIsAStoredFile() {
        var blob = new ai.hanzo.dev.protocol.Blob(Sha256.of(Bytes.utf8("x")), 1, "", "");
        Op opened =
                vault().open(
                                new Op.Write(
                                        "a",
                                        new Content.Stored(blob),
                                        Optional.empty(),
                                        Optional.empty()));
        assertThat(opened).isEqualTo(write("stored " + blob.digest()));
    }
}
