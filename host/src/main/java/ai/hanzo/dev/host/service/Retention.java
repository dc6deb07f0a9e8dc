package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.v1.PurgeResponse;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Journal;
import ai.hanzo.dev.ledger.Page;
import ai.hanzo.dev.ledger.Purges;
import ai.hanzo.dev.ledger.Purges.Purged;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.workspace.Checkpoints;
import ai.hanzo.dev.workspace.Digest;
import ai.hanzo.dev.workspace.DiskBlobStore;
import ai.hanzo.dev.workspace.SnapshotId;
import ai.hanzo.dev.workspace.Workspace;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes sessions that are over: their rows at once, the files that only they needed some time
 * after. A live session is never touched. Safe for all threads; throws LedgerException and
 * WorkspaceException.
 *
 * <p>A stored file goes when no entry of any session names it, no checkpoint that an entry names
 * holds it, no index of a workspace takes it for stored, and it was not put for {@link #GRACE}: in
 * that time whoever put it has named it.
 */
public final class Retention {
    /** Far above what lies between the storing of a file and the commit that names it. */
    static final Duration GRACE = Duration.ofHours(24);

    private static final Logger log = LoggerFactory.getLogger(Retention.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long LOOK_NANOS = 50_000_000L;
    private static final int BATCH = 100;
    private static final int PAGE = 500;

    private final Store store;
    private final DiskBlobStore blobs;
    private final Checkpoints checkpoints;
    private final Function<SessionId, Path> directories;
    private final Optional<Duration> keepEnded;

    /**
     * With the usual grace.
     *
     * @param directories the private directory of a session
     * @param keepEnded how long sessions that are over stay; empty for ever
     */
    public Retention(
            Store store,
            DiskBlobStore blobs,
            Checkpoints checkpoints,
            Function<SessionId, Path> directories,
            Optional<Duration> keepEnded) {
        this.store = store;
        this.blobs = blobs;
        this.checkpoints = checkpoints;
        this.directories = directories;
        this.keepEnded = keepEnded;
    }

    /** Removes what has been over for long enough, then the files that nobody needs any more. */
    public void run() {
        keepEnded.ifPresent(this::purgeOlderThan);
        sweep(GRACE);
    }

    private void purgeOlderThan(Duration age) {
        List<Purges.Ended> ended;
        boolean isProgress = true;
        do {
            ended = store.purges().ended(age, BATCH);
            isProgress = false;
            for (Purges.Ended one : ended) {
                isProgress |= purge(one.org(), one.session(), "retention") instanceof Purged.Gone;
            }
        } while (isProgress && ended.size() == BATCH);
    }

    /** Removes a session of the caller's, if it is over. */
    PurgeResponse purge(Caller caller, Session session) {
        return switch (purgeOnceLeft(session, caller.name())) {
            case Purged.Gone(long entries) ->
                    PurgeResponse.newBuilder()
                            .setId(session.id().value())
                            .setEntries(Math.toIntExact(entries))
                            .build();
            case Purged.NotOver() ->
                    throw OpException.of(
                            OpCode.CONFLICT,
                            session.state().isFinal()
                                    ? "A host has not cleared up after session "
                                            + session.id()
                                            + " yet."
                                    : "Session " + session.id() + " is not over.",
                            session.state().isFinal()
                                    ? "Try again."
                                    : "End it first: hanzo dev rm " + session.id() + ".");
            case Purged.NoSession() -> throw OpException.notFound("session", session.id().value());
        };
    }

    /** A host has a session that ended a moment ago until it has cleared up. */
    private Purged purgeOnceLeft(Session session, String by) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Purged purged = purge(session.org(), session.id(), by);
        while (purged instanceof Purged.NotOver
                && session.state().isFinal()
                && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
            purged = purge(session.org(), session.id(), by);
        }
        return purged;
    }

    /** Removes one session, if it is over. */
    Purged purge(OrgId org, SessionId session, String by) {
        Purged purged = store.purges().purge(org, session, by);
        if (purged instanceof Purged.Gone(long entries)) {
            log.atInfo()
                    .addKeyValue("session", session)
                    .addKeyValue("entries", entries)
                    .log("session removed");
            deleteTree(directories.apply(session));
        }
        return purged;
    }

    /** What is left behind is of no session and in nobody's way. */
    private static void deleteTree(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try {
            Files.walkFileTree(directory, new Deleting());
        } catch (IOException e) {
            log.atWarn().setCause(e).log("a session's private directory is not gone");
        }
    }

    private static final class Deleting extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException fault)
                throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
        }
    }

    /** Removes stored files that nobody needs, if a session was removed; whether it looked. */
    boolean sweep(Duration grace) {
        return store.purges()
                .sweep(
                        grace,
                        () -> {
                            Set<Digest> needed = needed();
                            var swept = blobs.sweep(grace, needed::contains);
                            log.atInfo()
                                    .addKeyValue("files", swept.blobs())
                                    .addKeyValue("bytes", swept.bytes())
                                    .log("stored files swept");
                        });
    }

    private Set<Digest> needed() {
        Set<Digest> needed = new HashSet<>();
        Set<Workspace> workspaces = new HashSet<>();
        Set<SnapshotId> snapshots = new HashSet<>();
        eachSession(session -> {
            session.workspace()
                    .ifPresent(place ->
                            workspaces.add(
                                    new Workspace(
                                            Path.of(place.path()),
                                            place.device(),
                                            place.inode(),
                                            0,
                                            0)));
            eachEntry(
                    session,
                    entry -> {
                        StoredFiles named = StoredFiles.of(entry);
                        needed.addAll(named.blobs());
                        named.bodies().forEach(body -> needed.add(StoredFiles.digest(body)));
                        named.workspace().ifPresent(snapshots::add);
                    });
        });
        // Roots alone may be named one by one, too: what they consist of is looked for by itself.
        Set<Digest> inSnapshots = new HashSet<>();
        snapshots.forEach(snapshot -> checkpoints.collect(snapshot, inSnapshots));
        needed.addAll(inSnapshots);
        checkpoints.collectIndexed(workspaces, GRACE.multipliedBy(7), needed);
        return needed;
    }

    private void eachSession(Consumer<Session> each) {
        for (OrgId org : store.purges().orgs()) {
            Optional<SessionId> before = Optional.empty();
            do {
                Page<Session> page =
                        store.journal().sessions(org, Set.of(), before, Journal.MAX_LIMIT);
                page.items().forEach(each);
                before = page.next();
            } while (before.isPresent());
        }
    }

    private void eachEntry(Session session, Consumer<Entry> each) {
        Seq at = new Seq(0);
        while (true) {
            List<Entry> page = store.journal().entries(session.org(), session.id(), at, PAGE);
            page.forEach(each);
            if (page.size() < PAGE) {
                return;
            }
            at = page.getLast().seq();
        }
    }
}
