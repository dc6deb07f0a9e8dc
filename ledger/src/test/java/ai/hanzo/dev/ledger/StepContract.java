package ai.hanzo.dev.ledger;

import static ai.hanzo.dev.ledger.Given.ORG;
import static ai.hanzo.dev.ledger.Given.committed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.HostId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every ledger does with steps and with the outcomes of actions. */
public abstract class StepContract extends StoreContract {
    @Test
    void aStepMayPutTheSessionOnAnotherCore() {
        Lease lease = Given.leased(store());
        Sha256 before = session(lease).core();
        Sha256 other = Sha256.of(Bytes.utf8("another core"));

        ledger().step(lease, Given.step(2, Given.action(1, ActionStatus.COMPLETED)));
        assertThat(session(lease).core()).isEqualTo(before);
        long last = session(lease).lastSeq().value();
        store().ledger().append(lease.org(), lease.session(), Given.turn("more"));
        ledger().step(lease, Given.step(last + 1).onCore(other));

        assertThat(session(lease).core()).isEqualTo(other);
    }

    private Session session(Lease lease) {
        return store().journal().session(lease.org(), lease.session()).orElseThrow();
    }

    @Test
    void aStepCommitsAllOfItsParts() {
        Lease lease = Given.leased(store());
        SessionId session = lease.session();
        StepCommit step =
                new StepCommit(
                        new Seq(2),
                        List.of(
                                Given.action(1, ActionStatus.COMPLETED),
                                Given.action(2, ActionStatus.DISPATCHED),
                                Given.action(3, ActionStatus.WAITING_APPROVAL),
                                Given.action(4, ActionStatus.BLOCKED)),
                        List.of(),
                        List.of(Given.note("checkpoint")),
                        Optional.of(Given.snapshot(2)),
                        StepCommit.Keep.FOR_GOOD,
                        List.of(StepCommit.RunChange.to(new TurnId(1), RunStatus.RUNNING)),
                        StepCommit.StateChange.to(SessionState.RUNNING),
                        new Usage(100, 20, 1));

        List<Entry> entries = committed(ledger().step(lease, step));

        assertThat(entries)
                .extracting(entry -> entry.seq().value())
                .containsExactly(3L, 4L, 5L, 6L, 7L);
        assertThat(entries.get(1).action()).contains(new ActionId(2));
        assertThat(journal().entries(ORG, session, new Seq(2), 10)).isEqualTo(entries);
        Session row = journal().session(ORG, session).orElseThrow();
        assertThat(row.consumed()).isEqualTo(new Seq(2));
        assertThat(row.lastSeq()).isEqualTo(new Seq(7));
        assertThat(row.usage()).isEqualTo(new Usage(100, 20, 1));
        assertThat(journal().snapshot(ORG, session)).contains(Given.snapshot(2));
        assertThat(journal().keptSnapshot(ORG, session, new Seq(99))).contains(Given.snapshot(2));
        assertThat(journal().keptSnapshot(ORG, session, new Seq(1))).isEmpty();
        assertThat(journal().run(ORG, session, new TurnId(1)).orElseThrow().status())
                .isEqualTo(RunStatus.RUNNING);
        assertThat(journal().openActions(ORG, session))
                .extracting(ActionRow::id)
                .containsExactly(new ActionId(2), new ActionId(3), new ActionId(4));
        assertThat(journal().actions(ORG, session, Set.of(ActionStatus.COMPLETED), 0, 10))
                .singleElement()
                .satisfies(row1 -> {
                    assertThat(row1.payload().toUtf8()).isEqualTo("action 1");
                    assertThat(row1.outcome()).contains(new Seq(3));
                });
        assertThat(journal().decision(ORG, session, new ActionId(2)))
                .contains(Given.decision(DecisionRow.Verdict.ALLOW));
        assertThat(journal().decision(ORG, session, new ActionId(1))).isEmpty();
        assertThat(store().approvals().pendingIn(ORG, session)).hasSize(1);
        assertThat(journal().unconsumed(ORG, session, 10)).isEmpty();
    }

    @Test
    void aStepThatFailsHalfwayLeavesNothing() {
        Lease lease = Given.leased(store());
        SessionId session = lease.session();
        NewAction undecided =
                new NewAction(
                        new ActionId(2),
                        Optional.of(new TurnId(1)),
                        "exec",
                        Bytes.utf8("rm -rf ."),
                        Given.action(2, ActionStatus.DISPATCHED).request(),
                        ActionStatus.DISPATCHED,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());

        // The missing decision is found at the very end, when the transaction commits.
        assertThatThrownBy(() ->
                        ledger().step(
                                        lease,
                                        Given.step(
                                                2,
                                                Given.action(1, ActionStatus.DISPATCHED),
                                                undecided)))
                .isInstanceOf(LedgerException.class)
                .extracting(e -> ((LedgerException) e).code())
                .isEqualTo(LedgerException.Code.REFUSED);

        Session row = journal().session(ORG, session).orElseThrow();
        assertThat(row.consumed()).isEqualTo(new Seq(0));
        assertThat(row.lastSeq()).isEqualTo(new Seq(2));
        assertThat(journal().snapshot(ORG, session)).isEmpty();
        assertThat(journal().openActions(ORG, session)).isEmpty();
        assertThat(committed(ledger().step(lease, Given.step(2)))).isEmpty();
    }

    @Test
    void anEntryIsEatenOnce() {
        Lease lease = Given.leased(store());
        committed(ledger().step(lease, Given.step(2, Given.action(1, ActionStatus.DISPATCHED))));

        assertThat(ledger().step(lease, Given.step(2))).isEqualTo(new Stepped.Stale(new Seq(2)));
        assertThat(ledger().step(lease, Given.step(1))).isEqualTo(new Stepped.Stale(new Seq(2)));
        assertThatThrownBy(() -> ledger().step(lease, Given.step(4)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("above the last, 3");
    }

    @Test
    void anOutcomeIsTakenOnce() throws Exception {
        Lease lease = Given.leased(store());
        committed(ledger().step(lease, Given.step(2, Given.action(1, ActionStatus.DISPATCHED))));

        List<Completed> all =
                atOnce(20, i -> ledger().complete(lease, Given.result(1, "reply " + i)));

        assertThat(all).filteredOn(Completed.Committed.class::isInstance).hasSize(1);
        assertThat(all).filteredOn(new Completed.NotOpen(new ActionId(1))::equals).hasSize(19);
        assertThat(journal().unconsumed(ORG, lease.session(), 10))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.action()).contains(new ActionId(1));
                    assertThat(entry.turn()).contains(new TurnId(1));
                });
        assertThat(ledger().complete(lease, Given.result(77, "never asked")))
                .isEqualTo(new Completed.NotOpen(new ActionId(77)));
    }

    @Test
    void aFencedHostCanWriteNothing() {
        HostId first = Given.host(store());
        Lease old = Given.leased(store(), first);
        committed(ledger().step(old, Given.step(2, Given.action(1, ActionStatus.DISPATCHED))));
        store().leases().retire(first);
        Lease current = Given.lease(store(), Given.host(store()), old.session());

        assertThat(current.epoch()).isEqualTo(new Epoch(2));
        assertThat(ledger().step(old, Given.step(3))).isEqualTo(new Stepped.Fenced(new Epoch(2)));
        assertThat(ledger().complete(old, Given.result(1, "late")))
                .isEqualTo(new Completed.Fenced(new Epoch(2)));
        assertThat(journal().session(ORG, old.session()).orElseThrow().lastSeq())
                .isEqualTo(new Seq(3));
        assertThat(committed(ledger().complete(current, Given.result(1, "in time"))).seq())
                .isEqualTo(new Seq(4));
    }

    @Test
    void aCancelledActionTakesNoResult() {
        Lease lease = Given.leased(store());
        SessionId session = lease.session();
        committed(
                ledger().step(
                                lease,
                                Given.step(
                                        2,
                                        Given.action(1, ActionStatus.DISPATCHED),
                                        Given.action(2, ActionStatus.WAITING_APPROVAL))));
        NewEntry cancel =
                NewEntry.ofHost(EntryKind.CANCEL, Optional.of(new TurnId(1)), Bytes.utf8("cancel"));
        Entry entry = committed(ledger().append(ORG, session, cancel));

        committed(
                ledger().step(lease, Given.change(entry.seq().value(), 1, ActionStatus.CANCELLED)));

        assertThat(ledger().complete(lease, Given.result(1, "late")))
                .isEqualTo(new Completed.NotOpen(new ActionId(1)));
        assertThat(journal().action(ORG, session, new ActionId(1)).orElseThrow().outcome())
                .contains(entry.seq());
        assertThat(ledger().complete(lease, Given.result(2, "denied")))
                .isInstanceOf(Completed.Committed.class);
        assertThat(store().approvals().pendingIn(ORG, session)).isEmpty();
    }

    @Test
    void whatWaitedIsSentWithItsMarker() {
        Lease lease = Given.leased(store());
        committed(ledger().step(lease, Given.step(2, Given.action(1, ActionStatus.REQUESTED))));
        Entry timer =
                committed(
                        ledger().append(
                                        ORG,
                                        lease.session(),
                                        NewEntry.ofHost(
                                                EntryKind.TIMER, Optional.empty(), Bytes.empty())));

        committed(
                ledger().step(
                                lease,
                                Given.change(timer.seq().value(), 1, ActionStatus.DISPATCHED)));

        ActionRow row = journal().action(ORG, lease.session(), new ActionId(1)).orElseThrow();
        assertThat(row.status()).isEqualTo(ActionStatus.DISPATCHED);
        assertThat(row.marker()).contains("HEAD abc");
        assertThat(row.dispatchedAt()).isPresent();
    }

    @Test
    void aQuestionIsAnsweredOnce() {
        Lease lease = Given.leased(store());
        committed(
                ledger().step(
                                lease,
                                Given.step(
                                        2,
                                        SessionState.WAITING_INPUT,
                                        Given.action(1, ActionStatus.WAITING_INPUT))));
        NewEntry answer =
                new NewEntry(
                        EntryKind.ANSWER,
                        Optional.empty(),
                        "cli:me",
                        Optional.empty(),
                        Payload.of(Bytes.utf8("yes")));
        ActionId question = new ActionId(1);

        Entry entry = committed(ledger().answer(ORG, lease.session(), question, answer));

        assertThat(entry.action()).contains(question);
        assertThat(ledger().answer(ORG, lease.session(), question, answer))
                .isEqualTo(new Appended.NotOpen(question));
        assertThat(ledger().answer(ORG, lease.session(), new ActionId(9), answer))
                .isEqualTo(new Appended.NotOpen(new ActionId(9)));
    }

    @Test
    void aSessionDoesNotRestWhileATurnWaits() {
        Lease lease = Given.leased(store());
        Entry second = committed(ledger().append(ORG, lease.session(), Given.turn("and then")));

        Stepped first = ledger().step(lease, Given.step(2, SessionState.IDLE));
        assertThat(first).isEqualTo(new Stepped.Committed(List.of(), SessionState.RUNNING));

        Stepped last = ledger().step(lease, Given.step(second.seq().value(), SessionState.IDLE));
        assertThat(last).isEqualTo(new Stepped.Committed(List.of(), SessionState.IDLE));
    }

    @Test
    void anIllegalMoveOfARunIsRefused() {
        Lease lease = Given.leased(store());

        assertThatThrownBy(() -> ledger().step(lease, Given.moveRun(2, RunStatus.COMPLETED)))
                .isInstanceOf(LedgerException.class)
                .hasStackTraceContaining("cannot go from queued to completed");
        assertThat(ledger().step(lease, Given.moveRun(2, RunStatus.RUNNING)))
                .isInstanceOf(Stepped.Committed.class);
    }
}
