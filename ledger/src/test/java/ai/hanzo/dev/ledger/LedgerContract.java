package ai.hanzo.dev.ledger;

import static ai.hanzo.dev.ledger.Given.ORG;
import static ai.hanzo.dev.ledger.Given.OTHER_ORG;
import static ai.hanzo.dev.ledger.Given.committed;
import static ai.hanzo.dev.ledger.Given.key;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every ledger does with starts, appends and reads. */
public abstract class LedgerContract extends StoreContract {
    @Test
    void aStartIsTheConfigAndTheFirstTurnInOneTransaction() {
        Opened opened = ledger().open(Given.sessionWithTurn("fix it"));

        assertThat(opened).isInstanceOf(Opened.Created.class);
        var created = (Opened.Created) opened;
        Session session = created.session();
        assertThat(created.entries())
                .extracting(Entry::kind)
                .containsExactly(EntryKind.CONFIG, EntryKind.TURN);
        assertThat(created.entries())
                .extracting(entry -> entry.seq().value())
                .containsExactly(1L, 2L);
        assertThat(journal().entries(ORG, session.id(), new Seq(0), 10))
                .isEqualTo(created.entries());
        assertThat(session.state()).isEqualTo(SessionState.RUNNING);
        assertThat(session.lastTurn()).contains(new TurnId(1));
        Run run = journal().run(ORG, session.id(), new TurnId(1)).orElseThrow();
        assertThat(run.status()).isEqualTo(RunStatus.QUEUED);
        assertThat(run.seq()).isEqualTo(new Seq(2));
        assertThat(journal().runs(ORG, session.id(), 0, 10)).containsExactly(run);
    }

    @Test
    void aSessionBeginsWithItsNotesAndItsTurnAtOnce() {
        var created = (Opened.Created) ledger().open(Given.sessionWithNote("works here", "fix it"));

        assertThat(created.entries())
                .extracting(Entry::kind)
                .containsExactly(EntryKind.CONFIG, EntryKind.NOTE, EntryKind.TURN);
        Session session = created.session();
        assertThat(journal().run(ORG, session.id(), new TurnId(1)).orElseThrow().seq())
                .isEqualTo(new Seq(3));
        assertThat(journal().verify(ORG, session.id())).isInstanceOf(Verification.Sound.class);
    }

    @Test
    void aPayloadIsToldItsPlace() {
        Session session = Given.opened(store(), Given.session());
        NewEntry turn =
                new NewEntry(
                        EntryKind.TURN,
                        Optional.empty(),
                        "cli:me",
                        Optional.empty(),
                        place -> Bytes.utf8(place.seq() + "/" + place.turn().orElseThrow()));

        Entry entry = committed(ledger().append(ORG, session.id(), turn));

        assertThat(entry.payload().toUtf8()).isEqualTo("2/1");
    }

    /** Field case D6. */
    @Test
    void fiftyStartsWithOneKeyAreOneSessionAndOneTurn() throws Exception {
        var key = Optional.of(key("start-" + Given.IDS.next(), "body"));
        List<Opened> all =
                atOnce(
                        50,
                        _ ->
                                ledger().open(
                                                Given.session(
                                                        ORG,
                                                        key,
                                                        Optional.empty(),
                                                        Optional.of(Given.turn("once")))));

        var created =
                all.stream()
                        .filter(Opened.Created.class::isInstance)
                        .map(Opened.Created.class::cast)
                        .toList();
        assertThat(created).hasSize(1);
        SessionId session = created.getFirst().session().id();
        assertThat(all)
                .filteredOn(Opened.Existing.class::isInstance)
                .hasSize(49)
                .allSatisfy(opened ->
                        assertThat(((Opened.Existing) opened).session().id()).isEqualTo(session));
        assertThat(journal().runs(ORG, session, 0, 10)).hasSize(1);

        var otherBody = Optional.of(key(key.get().value(), "another body"));
        assertThat(ledger().open(Given.session(ORG, otherBody, Optional.empty(), Optional.empty())))
                .isEqualTo(new Opened.KeyReused(session));
    }

    /** Field case D8. */
    @Test
    void aTurnSentAgainIsOneTurn() throws Exception {
        SessionId session = Given.opened(store(), Given.session()).id();

        List<Appended> all =
                atOnce(50, _ -> ledger().append(ORG, session, Given.turn("once", "k1")));

        assertThat(all).filteredOn(Appended.Committed.class::isInstance).hasSize(1);
        assertThat(all)
                .filteredOn(Appended.Duplicate.class::isInstance)
                .hasSize(49)
                .allSatisfy(one ->
                        assertThat(((Appended.Duplicate) one).entry().seq()).isEqualTo(new Seq(2)));
        assertThat(ledger().append(ORG, session, Given.turn("another", "k1")))
                .isEqualTo(new Appended.KeyReused(new Seq(2)));
        assertThat(journal().runs(ORG, session, 0, 10)).hasSize(1);
    }

    /** Feature row H7. */
    @Test
    void sixtyFourWritersLeaveNoGap() throws Exception {
        SessionId session = Given.opened(store(), Given.session()).id();
        int each = 20;

        atOnce(
                64,
                writer -> {
                    for (int i = 0; i < each; i++) {
                        committed(ledger().append(ORG, session, Given.note(writer + "/" + i)));
                    }
                    return writer;
                });

        List<Long> seqs = new ArrayList<>();
        List<Entry> page = journal().entries(ORG, session, new Seq(0), Journal.MAX_LIMIT);
        while (!page.isEmpty()) {
            page.forEach(entry -> seqs.add(entry.seq().value()));
            page = journal().entries(ORG, session, new Seq(seqs.getLast()), Journal.MAX_LIMIT);
        }
        assertThat(seqs).isEqualTo(LongStream.rangeClosed(1, 1 + 64 * each).boxed().toList());
        assertThat(journal().verify(ORG, session)).isInstanceOf(Verification.Sound.class);
    }

    @Test
    void twoSessionsNeverWriteInOneDirectory() throws Exception {
        var directory =
                Optional.of(Given.directory(Given.IDS.next().hashCode(), Workspace.Access.WRITE));
        Session first =
                Given.opened(
                        store(),
                        Given.session(
                                ORG, Optional.empty(), directory, Optional.of(Given.turn("a"))));

        assertThat(
                        ledger().open(
                                        Given.session(
                                                ORG,
                                                Optional.empty(),
                                                directory,
                                                Optional.of(Given.turn("b")))))
                .isEqualTo(new Opened.WorkspaceBusy(first.id()));

        Session second =
                Given.opened(
                        store(), Given.session(ORG, Optional.empty(), directory, Optional.empty()));
        assertThat(ledger().append(ORG, second.id(), Given.turn("b")))
                .isEqualTo(new Appended.WorkspaceBusy(first.id()));
        assertThat(journal().session(ORG, second.id()).orElseThrow().state())
                .isEqualTo(SessionState.IDLE);

        Lease lease = Given.lease(store(), Given.host(store()), first.id());
        ledger().step(lease, Given.step(2, SessionState.IDLE));
        committed(ledger().append(ORG, second.id(), Given.turn("b")));
        assertThat(journal().newestAt(ORG, directory.get().path()).orElseThrow().id())
                .isEqualTo(second.id());
    }

    @Test
    void aReadingSessionWorksBesideAWritingOne() {
        long inode = Given.IDS.next().hashCode();
        Given.opened(
                store(),
                Given.session(
                        ORG,
                        Optional.empty(),
                        Optional.of(Given.directory(inode, Workspace.Access.WRITE)),
                        Optional.of(Given.turn("a"))));

        Given.opened(
                store(),
                Given.session(
                        ORG,
                        Optional.empty(),
                        Optional.of(Given.directory(inode, Workspace.Access.READ)),
                        Optional.of(Given.turn("b"))));
    }

    @Test
    void anotherOrgsSessionIsAsAbsentAsNone() {
        Lease lease = Given.leased(store());
        SessionId session = lease.session();
        committed(
                ledger().step(
                                lease,
                                Given.step(2, Given.action(1, ActionStatus.WAITING_APPROVAL))));

        assertThat(journal().session(OTHER_ORG, session)).isEmpty();
        assertThat(journal().entries(OTHER_ORG, session, new Seq(0), 10)).isEmpty();
        assertThat(journal().snapshot(OTHER_ORG, session)).isEmpty();
        assertThat(journal().openActions(OTHER_ORG, session)).isEmpty();
        assertThat(journal().runs(OTHER_ORG, session, 0, 10)).isEmpty();
        assertThat(journal().verify(OTHER_ORG, session)).isEqualTo(new Verification.NoSession());
        assertThat(store().approvals().pendingIn(OTHER_ORG, session)).isEmpty();
        assertThat(ledger().append(OTHER_ORG, session, Given.turn("mine?")))
                .isEqualTo(new Appended.NoSession());
    }

    @Test
    void sessionsAreListedNewestFirstInPages() {
        List<SessionId> made =
                IntStream.range(0, 5)
                        .mapToObj(_ -> Given.opened(store(), Given.session()).id())
                        .toList();

        List<SessionId> seen = new ArrayList<>();
        Optional<SessionId> cursor = Optional.empty();
        do {
            Page<Session> page = journal().sessions(ORG, Set.of(SessionState.IDLE), cursor, 2);
            page.items().forEach(session -> seen.add(session.id()));
            cursor = page.next();
        } while (cursor.isPresent());

        assertThat(seen).doesNotHaveDuplicates().containsAll(made);
        assertThat(seen).isSortedAccordingTo((a, b) -> b.value().compareTo(a.value()));
        assertThat(
                        journal()
                                .sessions(ORG, Set.of(SessionState.FAILED), Optional.empty(), 5)
                                .items())
                .isEmpty();
    }
}
