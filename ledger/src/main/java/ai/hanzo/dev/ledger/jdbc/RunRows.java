package ai.hanzo.dev.ledger.jdbc;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;

/** Reads runs; call it within {@link Database#inOrg}'s reading sister, {@link Reads}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface RunRows extends GenericRepository<RunRow, String> {

    Optional<RunRow> findByOrgIdAndSessionIdAndTurn(String orgId, String sessionId, long turn);

    @Query(
            """
            SELECT * FROM runs WHERE org_id = :orgId AND session_id = :sessionId AND turn > :after
            ORDER BY turn LIMIT :most
            """)
    List<RunRow> page(String orgId, String sessionId, long after, int most);
}
