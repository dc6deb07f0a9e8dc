package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Run;
import ai.hanzo.dev.ledger.RunStatus;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.RunId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A row of {@code runs}, in the database's own types. */
@MappedEntity("runs")
record RunRow(
        @Id String id,
        String orgId,
        String sessionId,
        long turn,
        String status,
        long seq,
        String source,
        @Nullable String errorCode,
        @Nullable String errorText,
        Instant createdAt,
        @Nullable Instant endedAt) {

    Run toRun() {
        return new Run(
                new OrgId(orgId),
                new SessionId(sessionId),
                new RunId(id),
                new TurnId(turn),
                Rows.constant(RunStatus.class, status),
                new Seq(seq),
                source,
                Optional.ofNullable(errorCode),
                Optional.ofNullable(errorText),
                createdAt,
                Optional.ofNullable(endedAt));
    }
}
