package ai.hanzo.dev.host.archive;

import ai.hanzo.dev.host.archive.v1.SessionFileProto;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Approval;
import ai.hanzo.dev.ledger.ArchiveRow;
import ai.hanzo.dev.ledger.Archives;
import ai.hanzo.dev.ledger.DecisionRow;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Run;
import ai.hanzo.dev.ledger.RunStatus;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Usage;
import ai.hanzo.dev.ledger.Workspace;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.ApprovalId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.ProfileId;
import ai.hanzo.dev.protocol.id.RunId;
import ai.hanzo.dev.protocol.id.RunnerId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import com.google.protobuf.ByteString;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Rows out of the messages of a file. Throws {@link IllegalArgumentException} for a value that
 * cannot be. Pure functions of the session they are of.
 */
final class RowMessages {
    /** Belongs to no host until it is taken in. */
    private static final RunnerId NOWHERE = new RunnerId("file");

    private static final String NO_MACHINE = "file";
    private static final long MICROS = 1_000_000;

    private final OrgId org;
    private final SessionId session;

    RowMessages(OrgId org, SessionId session) {
        this.org = org;
        this.session = session;
    }

    static Archives.Head head(SessionFileProto.Head head) {
        return new Archives.Head(
                new Session(
                        new OrgId(head.getOrg()),
                        new SessionId(head.getId()),
                        constant(SessionState.class, head.getState()),
                        head.getFormatVersion(),
                        head.getTitle(),
                        head.hasProfile()
                                ? Optional.of(new ProfileId(head.getProfile()))
                                : Optional.empty(),
                        Optional.of(
                                new Workspace(
                                        head.getWorkspacePath(),
                                        NO_MACHINE,
                                        0,
                                        0,
                                        constant(
                                                Workspace.Access.class,
                                                head.getWorkspaceAccess()))),
                        head.getModel(),
                        head.getPolicy(),
                        digest(head.getRules()),
                        digest(head.getCore()),
                        NOWHERE,
                        head.getCreatedBy(),
                        new Seq(head.getLastSeq()),
                        new Seq(head.getConsumedSeq()),
                        head.getLastTurn() == 0
                                ? Optional.empty()
                                : Optional.of(new TurnId(head.getLastTurn())),
                        new Usage(
                                head.getInputTokens(),
                                head.getOutputTokens(),
                                head.getModelCalls()),
                        text(head.hasErrorCode(), head.getErrorCode()),
                        text(head.hasErrorText(), head.getErrorText()),
                        time(head.getCreatedAt()),
                        time(head.getUpdatedAt()),
                        new Seq(head.getSetupSeq())),
                digest(head.getDigest()),
                new Seq(head.getLastInputSeq()));
    }

    ArchiveRow entry(SessionFileProto.Entry entry) {
        return new ArchiveRow.OfEntry(
                new Entry(
                        org,
                        session,
                        new Seq(entry.getSeq()),
                        new EntryKind(entry.getKind()),
                        turn(entry.hasTurn(), entry.getTurn()),
                        entry.hasAction()
                                ? Optional.of(new ActionId(entry.getAction()))
                                : Optional.empty(),
                        entry.getFormatVersion(),
                        Bytes.wrap(entry.getPayload().toByteArray()),
                        time(entry.getCreatedAt()),
                        entry.getSource(),
                        text(entry.hasIdempotencyKey(), entry.getIdempotencyKey()),
                        digest(entry.getPrevDigest()),
                        digest(entry.getDigest())),
                entry.hasBody() ? Optional.of(digest(entry.getBody())) : Optional.empty());
    }

    ArchiveRow run(SessionFileProto.Run run) {
        return new ArchiveRow.OfRun(
                new Run(
                        org,
                        session,
                        new RunId(run.getId()),
                        new TurnId(run.getTurn()),
                        constant(RunStatus.class, run.getStatus()),
                        new Seq(run.getSeq()),
                        run.getSource(),
                        text(run.hasErrorCode(), run.getErrorCode()),
                        text(run.hasErrorText(), run.getErrorText()),
                        time(run.getCreatedAt()),
                        time(run.hasEndedAt(), run.getEndedAt())),
                time(run.hasStartedAt(), run.getStartedAt()));
    }

    static ArchiveRow action(SessionFileProto.Action action) {
        return new ArchiveRow.OfAction(
                new ActionId(action.getId()),
                turn(action.hasTurn(), action.getTurn()),
                new Seq(action.getSeq()),
                action.getKind(),
                digest(action.getRequest()),
                constant(ActionStatus.class, action.getStatus()),
                text(action.hasMarker(), action.getMarker()),
                seq(action.hasOutcomeSeq(), action.getOutcomeSeq()),
                new ArchiveRow.Times(
                        time(action.getCreatedAt()),
                        time(action.hasDispatchedAt(), action.getDispatchedAt()),
                        time(action.hasCompletedAt(), action.getCompletedAt())));
    }

    static ArchiveRow decision(SessionFileProto.Decision decision) {
        return new ArchiveRow.OfDecision(
                new ActionId(decision.getAction()),
                new DecisionRow(
                        constant(DecisionRow.Verdict.class, decision.getVerdict()),
                        constant(DecisionRow.Mode.class, decision.getMode()),
                        decision.getRulesList(),
                        decision.getReason(),
                        digest(decision.getRuleSet())),
                time(decision.getCreatedAt()));
    }

    ArchiveRow approval(SessionFileProto.Approval approval) {
        return new ArchiveRow.OfApproval(
                new Approval(
                        org,
                        new ApprovalId(approval.getId()),
                        session,
                        turn(approval.hasTurn(), approval.getTurn()),
                        new ActionId(approval.getAction()),
                        constant(Approval.Kind.class, approval.getKind()),
                        constant(Approval.Risk.class, approval.getRisk()),
                        constant(Approval.Status.class, approval.getStatus()),
                        approval.getSummary(),
                        time(approval.getCreatedAt()),
                        time(approval.hasExpiresAt(), approval.getExpiresAt()),
                        time(approval.hasResolvedAt(), approval.getResolvedAt()),
                        text(approval.hasResolvedBy(), approval.getResolvedBy()),
                        text(approval.hasNote(), approval.getNote())),
                seq(approval.hasSeq(), approval.getSeq()));
    }

    static Sha256 digest(ByteString bytes) {
        return new Sha256(Bytes.wrap(bytes.toByteArray()));
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String word) {
        return Enum.valueOf(type, word.toUpperCase(Locale.ROOT));
    }

    private static Optional<String> text(boolean given, String text) {
        return given ? Optional.of(text) : Optional.empty();
    }

    private static Optional<TurnId> turn(boolean given, long turn) {
        return given ? Optional.of(new TurnId(turn)) : Optional.empty();
    }

    private static Optional<Seq> seq(boolean given, long seq) {
        return given ? Optional.of(new Seq(seq)) : Optional.empty();
    }

    private static Instant time(long micros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1000);
    }

    private static Optional<Instant> time(boolean given, long micros) {
        return given ? Optional.of(time(micros)) : Optional.empty();
    }
}
