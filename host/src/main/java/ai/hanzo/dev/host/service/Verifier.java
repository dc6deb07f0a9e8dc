package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.core.Core;
import ai.hanzo.dev.host.core.CoreDigest;
import ai.hanzo.dev.host.core.CoreException;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.core.SnapshotSeal;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.v1.VerifyResponse;
import ai.hanzo.dev.host.op.v1.VerifyResponse.Fault;
import ai.hanzo.dev.host.op.v1.VerifyResponse.Fault.Part;
import ai.hanzo.dev.host.secret.SecretException;
import ai.hanzo.dev.host.secret.Vault;
import ai.hanzo.dev.host.secret.Vaults;
import ai.hanzo.dev.host.session.SessionParts;
import ai.hanzo.dev.ledger.Artifacts;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Journal;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.workspace.BlobStore;
import ai.hanzo.dev.workspace.Checkpoints;
import ai.hanzo.dev.workspace.Digest;
import ai.hanzo.dev.workspace.WorkspaceException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks what is kept of a session, in this order: the journal's chain, the core's snapshot, every
 * file that the journal names, with its row. Stops at the first fault; changes nothing. Each file
 * is read once, so the time goes with what is stored. Safe for all threads.
 */
public final class Verifier {
    private static final int PAGE = 500;

    private final Journal journal;
    private final Artifacts artifacts;
    private final Cores cores;
    private final SessionParts.SealFinder seals;
    private final BlobStore blobs;
    private final Checkpoints checkpoints;
    private final Vaults vaults;

    /** With what is kept of sessions. */
    public Verifier(Store store, Cores cores, SessionParts.SealFinder seals, Kept kept) {
        this.seals = seals;
        this.journal = store.journal();
        this.artifacts = store.artifacts();
        this.cores = cores;
        this.blobs = kept.blobs();
        this.checkpoints = kept.checkpoints();
        this.vaults = kept.vaults();
    }

    /** Where files and bodies are. */
    public record Kept(BlobStore blobs, Checkpoints checkpoints, Vaults vaults) {}

    VerifyResponse verify(Session session) {
        return switch (journal.verify(session.org(), session.id())) {
            case Verification.NoSession _ ->
                    throw OpException.notFound("session", session.id().value());
            case Verification.Broken(Seq seq, String reason) ->
                    VerifyResponse.newBuilder()
                            .setEntries(Math.toIntExact(seq.value() - 1))
                            .setFault(fault(Part.entry, seq, reason))
                            .build();
            case Verification.Sound sound -> beyondTheChain(session, sound);
        };
    }

    private VerifyResponse beyondTheChain(Session session, Verification.Sound sound) {
        VerifyResponse.Builder found =
                VerifyResponse.newBuilder()
                        .setEntries(Math.toIntExact(sound.entries()))
                        .setHead(sound.head().toHex());
        Set<Digest> seen = new HashSet<>();
        Optional<Fault> fault =
                snapshot(session).or(() -> files(session, new Seq(sound.entries()), seen));
        fault.ifPresent(found::setFault);
        return found.setBlobs(seen.size()).setSound(fault.isEmpty()).build();
    }

    /**
     * The snapshot is the state after an input that the core ate, no older than it may be, and a
     * core can be put into it.
     *
     * @param session read before the snapshot, which can only be newer
     */
    private Optional<Fault> snapshot(Session session) {
        Optional<Snapshot> kept = journal.snapshot(session.org(), session.id());
        Seq through = kept.map(Snapshot::through).orElse(new Seq(0));
        Seq consumed = Replay.eaten(session);
        if (eatenByTheCore(session, through, consumed) > mayBeUnsaved(session)) {
            return Optional.of(
                    kept.isEmpty()
                            ? fault(Part.snapshot, consumed, "The snapshot is missing.")
                            : fault(
                                    Part.snapshot,
                                    through,
                                    "The snapshot is older than the last entry that the core has"
                                            + " eaten, "
                                            + consumed
                                            + "."));
        }
        return kept.flatMap(snapshot -> snapshot(session, snapshot));
    }

    /** While a turn is under way the stored state may be a few inputs behind. */
    private static int mayBeUnsaved(Session session) {
        return switch (session.state()) {
            case RUNNING, FAILED -> Snapshot.MOST_BEHIND;
            case IDLE, WAITING_APPROVAL, WAITING_INPUT, WAITING_QUOTA, SUSPENDED, STOPPED -> 0;
        };
    }

    private Optional<Fault> snapshot(Session session, Snapshot snapshot) {
        Seq through = snapshot.through();
        Seq consumed =
                journal.session(session.org(), session.id())
                        .map(Replay::eaten)
                        .orElse(Replay.eaten(session));
        if (through.compareTo(consumed) > 0) {
            return Optional.of(
                    fault(
                            Part.snapshot,
                            through,
                            "The snapshot is of a later entry than the core has eaten, "
                                    + consumed
                                    + "."));
        }
        var digest = new CoreDigest(snapshot.core().toHex());
        var place = new SnapshotSeal.Place(session.id().value(), through.value(), digest);
        try {
            seals.of(session.org()).check(place, snapshot.state(), snapshot.mac());
        } catch (CoreException e) {
            return Optional.of(
                    fault(
                            Part.snapshot,
                            through,
                            "The snapshot was not sealed under the organisation's key; it will not"
                                    + " be used."));
        }
        try (Core core = cores.restore(digest, snapshot.state())) {
            return core.snapshot().equals(snapshot.state())
                    ? Optional.empty()
                    : Optional.of(
                            fault(
                                    Part.snapshot,
                                    through,
                                    "The snapshot is not as the core writes it."));
        } catch (CoreException e) {
            return Optional.of(
                    fault(
                            Part.snapshot,
                            through,
                            "The snapshot cannot be restored: " + e.getMessage()));
        }
    }

    /** How many entries that go to the core are after one and up to another. */
    private int eatenByTheCore(Session session, Seq after, Seq last) {
        int eaten = 0;
        Seq at = after;
        while (at.compareTo(last) < 0) {
            List<Entry> page = journal.entries(session.org(), session.id(), at, PAGE);
            for (Entry entry : page) {
                if (entry.kind().isForCore() && entry.seq().compareTo(last) <= 0) {
                    eaten++;
                }
                at = entry.seq();
            }
            if (page.size() < PAGE) {
                return eaten;
            }
        }
        return eaten;
    }

    private Optional<Fault> files(Session session, Seq last, Set<Digest> seen) {
        Seq at = new Seq(0);
        Vault vault = vaults.of(session.org(), session.id());
        var outputs = new OutputRows(artifacts, session, last);
        while (at.compareTo(last) < 0) {
            List<Entry> page = journal.entries(session.org(), session.id(), at, PAGE);
            for (Entry entry : page) {
                if (entry.seq().compareTo(last) > 0) {
                    return Optional.empty();
                }
                Optional<Fault> fault = files(entry, new Places(vault, outputs), seen);
                if (fault.isPresent()) {
                    return fault;
                }
                at = entry.seq();
            }
            if (page.size() < PAGE) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** Where the bodies are, and the rows of outputs. */
    private record Places(Vault vault, OutputRows outputs) {}

    private Optional<Fault> files(Entry entry, Places places, Set<Digest> seen) {
        StoredFiles named;
        try {
            named = StoredFiles.of(entry);
            if (!places.outputs().agreeWith(entry)) {
                return Optional.of(
                        fault(
                                Part.entry,
                                entry.seq(),
                                "The rows of its stored outputs are missing or were changed."));
            }
        } catch (RuntimeException e) {
            // The chain says that it is as it was written: whoever wrote it wrote nonsense.
            return Optional.of(
                    fault(Part.entry, entry.seq(), "It cannot be read: " + e.getMessage()));
        }
        try {
            for (Digest digest : named.blobs()) {
                if (seen.add(digest)) {
                    blobs.get(digest);
                }
            }
            for (Sha256 body : named.bodies()) {
                if (seen.add(StoredFiles.digest(body)) && places.vault().find(body).isEmpty()) {
                    blobs.get(StoredFiles.digest(body));
                }
            }
            named.workspace().ifPresent(snapshot -> checkpoints.verify(snapshot, seen));
            return Optional.empty();
        } catch (SecretException | WorkspaceException e) {
            return Optional.of(fault(Part.blob, entry.seq(), String.valueOf(e.getMessage())));
        }
    }

    private static Fault fault(Part part, Seq seq, String reason) {
        return Fault.newBuilder()
                .setPart(part)
                .setSeq(Math.toIntExact(seq.value()))
                .setReason(reason)
                .build();
    }
}
