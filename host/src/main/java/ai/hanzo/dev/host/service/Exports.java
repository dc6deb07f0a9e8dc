package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.archive.SessionFileWriter;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.secret.SecretException;
import ai.hanzo.dev.host.secret.Vault;
import ai.hanzo.dev.host.secret.Vaults;
import ai.hanzo.dev.ledger.ArchiveRow;
import ai.hanzo.dev.ledger.Archives;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.workspace.BlobStore;
import ai.hanzo.dev.workspace.Checkpoints;
import ai.hanzo.dev.workspace.Digest;
import ai.hanzo.dev.workspace.SnapshotId;
import ai.hanzo.dev.workspace.WorkspaceException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Sessions into files: the rows as they are at one moment, and each stored file that they name. All
 * of it is written aside before the first byte leaves, so that a fault is told and never half a
 * file. Safe for all threads.
 */
public final class Exports {
    private final Archives archives;
    private final BlobStore blobs;
    private final Checkpoints checkpoints;
    private final Vaults vaults;
    private final Path directory;

    /** With files on their way in {@code directory}. */
    public Exports(Archives archives, Kept kept, Path directory) {
        this.archives = archives;
        this.blobs = kept.blobs();
        this.checkpoints = kept.checkpoints();
        this.vaults = kept.vaults();
        this.directory = directory;
    }

    /** Where files and bodies are. */
    public record Kept(BlobStore blobs, Checkpoints checkpoints, Vaults vaults) {}

    Spool export(Session session) {
        Spool spool = Spool.in(directory);
        boolean complete = false;
        try (OutputStream out = spool.out()) {
            var file = new SessionFileWriter(out);
            Named named = rows(session, file);
            stored(named).forEach(digest -> store(file, digest));
            bodies(session, named, file);
            file.end();
            complete = true;
        } catch (IOException | UncheckedIOException e) {
            throw Spool.fault(e);
        } catch (SecretException e) {
            throw OpException.of(OpCode.CONFLICT, e.getMessage());
        } finally {
            if (!complete) {
                spool.close();
            }
        }
        return spool;
    }

    /** Everything that the entries name. */
    private record Named(Set<Digest> blobs, Set<Sha256> bodies, Set<SnapshotId> workspaces) {}

    private Named rows(Session session, SessionFileWriter file) {
        Named named =
                new Named(new LinkedHashSet<>(), new LinkedHashSet<>(), new LinkedHashSet<>());
        boolean isThere =
                archives.read(
                        session.org(),
                        session.id(),
                        head -> {
                            requireRest(head.session());
                            file.head(head);
                        },
                        row -> {
                            file.row(row);
                            if (row instanceof ArchiveRow.OfEntry(var entry, _)) {
                                StoredFiles stored = StoredFiles.of(entry);
                                named.blobs().addAll(stored.blobs());
                                named.bodies().addAll(stored.bodies());
                                stored.workspace().ifPresent(named.workspaces()::add);
                            }
                        });
        if (!isThere) {
            throw OpException.notFound("session", session.id().value());
        }
        return named;
    }

    private static void requireRest(Session session) {
        switch (session.state()) {
            case IDLE, SUSPENDED, STOPPED, FAILED -> {}
            case RUNNING, WAITING_APPROVAL, WAITING_INPUT, WAITING_QUOTA ->
                    throw OpException.of(
                            OpCode.CONFLICT,
                            "A turn of session "
                                    + session.id()
                                    + (session.state() == SessionState.RUNNING
                                            ? " is under way."
                                            : " waits."),
                            session.state() == SessionState.RUNNING
                                    ? "Wait for its end, or cancel it."
                                    : "Put it away first: hanzo dev suspend " + session.id() + ".");
        }
        if (session.workspace().isEmpty()) {
            throw OpException.of(OpCode.CONFLICT, "Session " + session.id() + " has no workspace.");
        }
    }

    private Set<Digest> stored(Named named) {
        Set<Digest> all = new LinkedHashSet<>(named.blobs());
        Set<Digest> inSnapshots = new LinkedHashSet<>();
        named.workspaces().forEach(snapshot -> checkpoints.verify(snapshot, inSnapshots));
        all.addAll(inSnapshots);
        return all;
    }

    /** In plain: another machine has another key. Those of an older session are stored files. */
    private void bodies(Session session, Named named, SessionFileWriter file) {
        Vault vault = vaults.of(session.org(), session.id());
        for (Sha256 name : named.bodies()) {
            vault.find(name)
                    .ifPresentOrElse(
                            content -> file.body(name, content),
                            () -> store(file, StoredFiles.digest(name)));
        }
    }

    private void store(SessionFileWriter file, Digest digest) {
        try {
            file.stored(new Sha256(Bytes.wrap(digest.toBytes())), Bytes.wrap(blobs.get(digest)));
        } catch (WorkspaceException e) {
            throw OpException.of(
                    OpCode.CONFLICT,
                    String.valueOf(e.getMessage()),
                    "Run hanzo dev verify to see what names it.");
        }
    }
}
