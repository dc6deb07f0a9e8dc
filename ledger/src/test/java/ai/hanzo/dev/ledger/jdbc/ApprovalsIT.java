package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.ORG;
import static ai.hanzo.dev.ledger.Given.OTHER_ORG;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Approval;
import ai.hanzo.dev.ledger.Approvals;
import ai.hanzo.dev.ledger.Approvals.Choice;
import ai.hanzo.dev.ledger.Approvals.Resolution;
import ai.hanzo.dev.ledger.Approvals.Resolved;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.NewAction;
import ai.hanzo.dev.ledger.NewApproval;
import ai.hanzo.dev.ledger.Payload;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.StoreContract;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.ApprovalId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ApprovalsIT extends StoreContract {
    private final PostgresStore store;

    ApprovalsIT(DatabaseConfig config) {
        store = TestPostgres.open(config);
    }

    @Override
    protected Store store() {
        return store;
    }

    @AfterAll
    void close() {
        store.close();
    }

    private static Resolution by(String who, Choice choice) {
        return new Resolution(choice, who, Optional.of("fine"), Payload.of(Bytes.utf8("approval")));
    }

    private Approval asked(Lease lease) {
        store.ledger()
                .step(
                        lease,
                        Given.step(
                                2,
                                SessionState.WAITING_APPROVAL,
                                Given.action(1, ActionStatus.WAITING_APPROVAL)));
        return store.approvals().pendingIn(ORG, lease.session()).getFirst();
    }

    /** Field case S10. */
    @Test
    void ofTwentyResolversOneWinsAndOneEntryIsMade() throws Exception {
        Lease lease = Given.leased(store);
        Approval asked = asked(lease);

        List<Resolved> all =
                atOnce(
                        20,
                        i ->
                                store.approvals()
                                        .resolve(
                                                ORG,
                                                asked.id(),
                                                by(
                                                        "person-" + i,
                                                        i % 2 == 0
                                                                ? Choice.APPROVE
                                                                : Choice.DENY)));

        var won =
                all.stream()
                        .filter(Resolved.Committed.class::isInstance)
                        .map(Resolved.Committed.class::cast)
                        .toList();
        assertThat(won).hasSize(1);
        assertThat(all)
                .filteredOn(Resolved.AlreadyResolved.class::isInstance)
                .hasSize(19)
                .allSatisfy(lost ->
                        assertThat(((Resolved.AlreadyResolved) lost).approval())
                                .isEqualTo(won.getFirst().approval()));
        assertThat(journal().unconsumed(ORG, lease.session(), 10))
                .containsExactly(won.getFirst().entry());
        assertThat(won.getFirst().entry().kind()).isEqualTo(EntryKind.APPROVAL);
        assertThat(won.getFirst().entry().action()).contains(new ActionId(1));
        assertThat(store.approvals().pending(ORG, 1000))
                .extracting(Approval::id)
                .doesNotContain(asked.id());
    }

    @Test
    void whatWasApprovedGoesOutWithTheNextStep() {
        Lease lease = Given.leased(store);
        Approval asked = asked(lease);
        var resolved =
                (Resolved.Committed)
                        store.approvals().resolve(ORG, asked.id(), by("me", Choice.APPROVE));

        Given.committed(
                ledger().step(
                                lease,
                                Given.change(
                                        resolved.entry().seq().value(),
                                        1,
                                        ActionStatus.DISPATCHED)));

        assertThat(journal().action(ORG, lease.session(), new ActionId(1)).orElseThrow().status())
                .isEqualTo(ActionStatus.DISPATCHED);
        Approval after = store.approvals().get(ORG, asked.id()).orElseThrow();
        assertThat(after.status()).isEqualTo(Approval.Status.APPROVED);
        assertThat(after.resolvedBy()).contains("me");
        assertThat(after.note()).contains("fine");
    }

    @Test
    void anotherOrgResolvesNothing() {
        Approval asked = asked(Given.leased(store));

        assertThat(store.approvals().resolve(OTHER_ORG, asked.id(), by("spy", Choice.APPROVE)))
                .isEqualTo(new Resolved.NotFound());
        assertThat(store.approvals().get(OTHER_ORG, asked.id())).isEmpty();
        assertThat(store.approvals().get(ORG, asked.id())).contains(asked);
    }

    @Test
    void aRequestThatIsTooOldCannotBeApproved() {
        Lease lease = Given.leased(store);
        NewAction plain = Given.action(1, ActionStatus.WAITING_APPROVAL);
        NewAction old =
                new NewAction(
                        plain.id(),
                        plain.turn(),
                        plain.kind(),
                        plain.payload(),
                        plain.request(),
                        plain.status(),
                        plain.decision(),
                        Optional.of(
                                new NewApproval(
                                        ApprovalId.next(Given.IDS),
                                        Approval.Kind.EXPERT,
                                        Approval.Risk.LOW,
                                        "push",
                                        Optional.of(Instant.EPOCH))),
                        plain.marker());
        store.ledger().step(lease, Given.step(2, old));
        Approval asked = store.approvals().pendingIn(ORG, lease.session()).getFirst();

        Resolved resolved = store.approvals().resolve(ORG, asked.id(), by("me", Choice.APPROVE));

        assertThat(resolved).isInstanceOf(Resolved.AlreadyResolved.class);
        assertThat(((Resolved.AlreadyResolved) resolved).approval().status())
                .isEqualTo(Approval.Status.EXPIRED);
        assertThat(journal().unconsumed(ORG, lease.session(), 10)).isEmpty();
    }

    @Test
    void theApprovalsApiKeepsItsWords() {
        Approvals approvals = store.approvals();
        assertThat(approvals.resolve(ORG, ApprovalId.next(Given.IDS), by("me", Choice.DENY)))
                .isEqualTo(new Resolved.NotFound());
    }
}
