package ai.hanzo.dev.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ChainTest {
    private static final SessionId SESSION = new SessionId("ses_01m8kz23mreh9s8hx224a0f8s7");

    private static Entry entry(
            String org, long seq, String kind, long turn, String payload, String source) {
        return new Entry(
                new OrgId(org),
                SESSION,
                new Seq(seq),
                new EntryKind(kind),
                Optional.of(new TurnId(turn)),
                Optional.of(new ActionId(5)),
                1,
                Bytes.utf8(payload),
                Instant.parse("2026-01-02T03:04:05.000006Z"),
                source,
                Optional.of("key"),
                Chain.START,
                Chain.START);
    }

    /** Pinned: a change of the rule would break every journal that was ever written. */
    @Test
    void theDigestNeverChanges() {
        assertThat(Chain.digestOf(entry("local", 3, "result", 1, "payload", "host")).toHex())
                .isEqualTo("70aecdf0c4603156e588e25cfa518b0fba708a9c50e166a7dcad2cec70ee7507");
    }

    @Test
    void everyFieldCounts() {
        Entry base = entry("local", 3, "result", 1, "payload", "host");
        Sha256 digest = Chain.digestOf(base);
        List<Entry> others =
                List.of(
                        entry("locam", 3, "result", 1, "payload", "host"),
                        entry("local", 4, "result", 1, "payload", "host"),
                        entry("local", 3, "resulu", 1, "payload", "host"),
                        entry("local", 3, "result", 2, "payload", "host"),
                        entry("local", 3, "result", 1, "payloae", "host"),
                        entry("local", 3, "result", 1, "payload", "hosu"),
                        with(base, Optional.empty(), base.createdAt(), base.prevDigest()),
                        with(
                                base,
                                base.idempotencyKey(),
                                base.createdAt().plusNanos(1_000),
                                base.prevDigest()),
                        with(base, base.idempotencyKey(), base.createdAt(), digest));
        assertThat(others)
                .extracting(Chain::digestOf)
                .doesNotContain(digest)
                .doesNotHaveDuplicates();
    }

    private static Entry with(
            Entry base, Optional<String> key, Instant createdAt, Sha256 prevDigest) {
        return new Entry(
                base.org(),
                base.session(),
                base.seq(),
                base.kind(),
                base.turn(),
                base.action(),
                base.formatVersion(),
                base.payload(),
                createdAt,
                base.source(),
                key,
                prevDigest,
                base.digest());
    }
}
