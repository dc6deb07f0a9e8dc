package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.session.Outputs;
import ai.hanzo.dev.ledger.Artifact;
import ai.hanzo.dev.ledger.Artifacts;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.protocol.id.Seq;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The rows of a session's outputs that are kept whole, by the entry that names them. */
final class OutputRows {
    private static final int PAGE = 500;

    private final Map<Seq, Set<Artifact>> rows = new HashMap<>();

    /** Those of outcomes up to {@code through}. */
    OutputRows(Artifacts artifacts, Session session, Seq through) {
        Optional<Artifact> after = Optional.empty();
        List<Artifacts.Kept> page;
        do {
            page = artifacts.of(session.org(), session.id(), through, after, PAGE);
            for (Artifacts.Kept kept : page) {
                rows.computeIfAbsent(kept.outcome(), _ -> new HashSet<>()).add(kept.artifact());
                after = Optional.of(kept.artifact());
            }
        } while (page.size() == PAGE);
    }

    /** Whether there are the rows that an entry calls for, and no others. */
    boolean agreeWith(Entry entry) {
        return rows.getOrDefault(entry.seq(), Set.of()).equals(Set.copyOf(Outputs.of(entry)));
    }
}
