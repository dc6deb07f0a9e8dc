package ai.hanzo.dev.host.archive;

import ai.hanzo.dev.host.archive.v1.SessionFileProto;
import ai.hanzo.dev.host.archive.v1.SessionFileProto.Record;
import ai.hanzo.dev.ledger.Approval;
import ai.hanzo.dev.ledger.ArchiveRow;
import ai.hanzo.dev.ledger.Archives;
import ai.hanzo.dev.ledger.Chain;
import ai.hanzo.dev.ledger.DecisionRow;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Run;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Workspace;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import com.google.protobuf.ByteString;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Rows into the messages of a file. Pure functions. */
final class MessageRows {
    private MessageRows() {}

    static Record head(Archives.Head head) {
        Session session = head.session();
        Workspace workspace =
                session.workspace()
                        .orElseThrow(() -> new IllegalArgumentException("a session of no place"));
        var out =
                SessionFileProto.Head.newBuilder()
                        .setOrg(session.org().value())
                        .setId(session.id().value())
                        .setState(word(session.state()))
                        .setFormatVersion(session.formatVersion())
                        .setTitle(session.title())
                        .setWorkspacePath(workspace.path())
                        .setWorkspaceAccess(word(workspace.access()))
                        .setModel(session.model())
                        .setPolicy(session.policy())
                        .setRules(bytes(session.rules()))
                        .setCore(bytes(session.core()))
                        .setCreatedBy(session.createdBy())
                        .setLastSeq(session.lastSeq().value())
                        .setConsumedSeq(session.consumed().value())
                        .setLastInputSeq(head.lastInput().value())
                        .setLastTurn(session.lastTurn().map(TurnId::value).orElse(0L))
                        .setSetupSeq(session.setup().value())
                        .setInputTokens(session.usage().inputTokens())
                        .setOutputTokens(session.usage().outputTokens())
                        .setModelCalls(session.usage().modelCalls())
                        .setCreatedAt(Chain.micros(session.createdAt()))
                        .setUpdatedAt(Chain.micros(session.updatedAt()))
                        .setDigest(bytes(head.digest()));
        session.profile().ifPresent(profile -> out.setProfile(profile.value()));
        session.errorCode().ifPresent(out::setErrorCode);
        session.errorText().ifPresent(out::setErrorText);
        return Record.newBuilder().setHead(out).build();
    }

    static Record row(ArchiveRow row) {
        Record.Builder out = Record.newBuilder();
        switch (row) {
            case ArchiveRow.OfEntry(Entry entry, Optional<Sha256> body) ->
                    out.setEntry(entry(entry, body));
            case ArchiveRow.OfRun(Run run, Optional<Instant> startedAt) ->
                    out.setRun(run(run, startedAt));
            case ArchiveRow.OfAction action -> out.setAction(action(action));
            case ArchiveRow.OfDecision decision -> out.setDecision(decision(decision));
            case ArchiveRow.OfApproval(Approval approval, Optional<Seq> seq) ->
                    out.setApproval(approval(approval, seq));
        }
        return out.build();
    }

    private static SessionFileProto.Entry entry(Entry entry, Optional<Sha256> body) {
        var out =
                SessionFileProto.Entry.newBuilder()
                        .setSeq(entry.seq().value())
                        .setKind(entry.kind().value())
                        .setFormatVersion(entry.formatVersion())
                        .setPayload(bytes(entry.payload()))
                        .setCreatedAt(Chain.micros(entry.createdAt()))
                        .setSource(entry.source())
                        .setPrevDigest(bytes(entry.prevDigest()))
                        .setDigest(bytes(entry.digest()));
        entry.turn().ifPresent(turn -> out.setTurn(turn.value()));
        entry.action().ifPresent(action -> out.setAction(action.value()));
        entry.idempotencyKey().ifPresent(out::setIdempotencyKey);
        body.ifPresent(digest -> out.setBody(bytes(digest)));
        return out.build();
    }

    private static SessionFileProto.Run run(Run run, Optional<Instant> startedAt) {
        var out =
                SessionFileProto.Run.newBuilder()
                        .setId(run.id().value())
                        .setTurn(run.turn().value())
                        .setStatus(word(run.status()))
                        .setSeq(run.seq().value())
                        .setSource(run.source())
                        .setCreatedAt(Chain.micros(run.createdAt()));
        run.errorCode().ifPresent(out::setErrorCode);
        run.errorText().ifPresent(out::setErrorText);
        startedAt.ifPresent(time -> out.setStartedAt(Chain.micros(time)));
        run.endedAt().ifPresent(time -> out.setEndedAt(Chain.micros(time)));
        return out.build();
    }

    private static SessionFileProto.Action action(ArchiveRow.OfAction action) {
        var out =
                SessionFileProto.Action.newBuilder()
                        .setId(action.id().value())
                        .setSeq(action.seq().value())
                        .setKind(action.kind())
                        .setRequest(bytes(action.request()))
                        .setStatus(word(action.status()))
                        .setCreatedAt(Chain.micros(action.times().createdAt()));
        action.turn().ifPresent(turn -> out.setTurn(turn.value()));
        action.marker().ifPresent(out::setMarker);
        action.outcome().ifPresent(seq -> out.setOutcomeSeq(seq.value()));
        action.times().dispatchedAt().ifPresent(t -> out.setDispatchedAt(Chain.micros(t)));
        action.times().completedAt().ifPresent(t -> out.setCompletedAt(Chain.micros(t)));
        return out.build();
    }

    private static SessionFileProto.Decision decision(ArchiveRow.OfDecision row) {
        DecisionRow decision = row.decision();
        return SessionFileProto.Decision.newBuilder()
                .setAction(row.action().value())
                .setVerdict(word(decision.verdict()))
                .setMode(word(decision.mode()))
                .addAllRules(decision.rules())
                .setReason(decision.reason())
                .setRuleSet(bytes(decision.ruleSet()))
                .setCreatedAt(Chain.micros(row.createdAt()))
                .build();
    }

    private static SessionFileProto.Approval approval(Approval approval, Optional<Seq> seq) {
        var out =
                SessionFileProto.Approval.newBuilder()
                        .setId(approval.id().value())
                        .setAction(approval.action().value())
                        .setKind(word(approval.kind()))
                        .setRisk(word(approval.risk()))
                        .setStatus(word(approval.status()))
                        .setSummary(approval.summary())
                        .setCreatedAt(Chain.micros(approval.createdAt()));
        approval.turn().ifPresent(turn -> out.setTurn(turn.value()));
        seq.ifPresent(at -> out.setSeq(at.value()));
        approval.expiresAt().ifPresent(time -> out.setExpiresAt(Chain.micros(time)));
        approval.resolvedAt().ifPresent(time -> out.setResolvedAt(Chain.micros(time)));
        approval.resolvedBy().ifPresent(out::setResolvedBy);
        approval.note().ifPresent(out::setNote);
        return out.build();
    }

    static Record body(Sha256 name, Bytes content) {
        return Record.newBuilder()
                .setBody(
                        SessionFileProto.Body.newBuilder()
                                .setName(bytes(name))
                                .setContent(bytes(content)))
                .build();
    }

    static Record blob(Sha256 digest, Bytes content) {
        return Record.newBuilder()
                .setBlob(
                        SessionFileProto.Blob.newBuilder()
                                .setDigest(bytes(digest))
                                .setContent(bytes(content)))
                .build();
    }

    static Record end(Sha256 digest) {
        return Record.newBuilder()
                .setEnd(SessionFileProto.End.newBuilder().setDigest(bytes(digest)))
                .build();
    }

    private static ByteString bytes(Bytes bytes) {
        return ByteString.copyFrom(bytes.toArray());
    }

    private static ByteString bytes(Sha256 digest) {
        return bytes(digest.bytes());
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
