package ai.hanzo.dev.host;

import ai.hanzo.dev.ledger.ActionRow;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Approval;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.Tails;
import ai.hanzo.dev.protocol.id.SessionId;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A caller that never gives up: it opens sessions and posts turns under keys of its own until they
 * are acknowledged, approves and answers what is asked, and knows what it was promised. One thread
 * for each; it does nothing for a session that hangs.
 */
final class CrashLoad {
    /** Turns of a session; then the caller opens the next one. */
    static final int TURNS = 2;

    private static final long PAUSE_MILLIS = 100;

    /** A session may be this long without any change before it counts as hanging. */
    private static final long PATIENCE_SECONDS = 120;

    private final Path root;
    private final Path home;
    private final Store store;
    private final List<Promised> sessions = new CopyOnWriteArrayList<>();
    private volatile boolean enough;

    CrashLoad(Path root, Path home, Store store) {
        this.root = root;
        this.home = home;
        this.store = store;
    }

    /** What a caller was told: the session is there, and these turns are at these entries. */
    record Promised(SessionId session, Path project, List<Integer> turns) {}

    /** All that was acknowledged so far. */
    List<Promised> promised() {
        return sessions;
    }

    /** The callers are to finish the turn they are at. */
    void end() {
        enough = true;
    }

    /** Runs until {@link #end}; throws when a session does not come to rest. */
    void run() throws InterruptedException {
        for (int i = 0; !enough; i++) {
            String name = Thread.currentThread().getName() + "-" + i;
            Path project = Projects.make(root);
            Projects.git(project, "init", "-q");
            SessionId session = new SessionId(open(name, project).path("id").asText());
            Promised promised = new Promised(session, project, new CopyOnWriteArrayList<>());
            sessions.add(promised);
            for (int turn = 1; turn <= TURNS && !enough; turn++) {
                JsonNode taken =
                        accepted(
                                "/v1/dev/" + session,
                                "{\"prompt\": \"Turn " + turn + ".\"}",
                                name + "-" + turn);
                promised.turns().add(taken.path("sequence").asInt());
                see(session);
            }
        }
    }

    private JsonNode open(String key, Path project) throws InterruptedException {
        String body =
                """
                {"model": "script:crash", "script": %s, "policy": {"rules": %s},
                 "workspace": {"path": "%s"}}
                """
                        .formatted(
                                Lines.quoted(CrashScript.turns(TURNS)),
                                Lines.quoted(CrashScript.RULES),
                                project);
        return accepted("/v1/dev", body, key);
    }

    /** Sends until it is taken, always under the same key. */
    private JsonNode accepted(String path, String body, String key) throws InterruptedException {
        while (true) {
            Optional<HttpResponse<String>> response = send(path, body, key);
            if (response.isPresent() && response.get().statusCode() < 300) {
                return Lines.json(response.get().body());
            }
            if (response.isPresent() && response.get().statusCode() < 500) {
                throw new AssertionError(path + " was refused: " + response.get().body());
            }
            pause();
        }
    }

    /** Empty when nobody was there to ask, or the host went away before it answered. */
    private Optional<HttpResponse<String>> send(String path, String body, String key) {
        try {
            return Optional.of(Requests.send(home, "POST", path, body, "Idempotency-Key", key));
        } catch (UncheckedIOException | NoSuchElementException e) {
            return Optional.empty();
        }
    }

    private static void pause() throws InterruptedException {
        new Semaphore(0).tryAcquire(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Sees a turn through to its end, and says yes to all that is asked. */
    private void see(SessionId session) throws InterruptedException {
        Semaphore news = new Semaphore(0);
        try (Tails.Subscription _ =
                store.tails().of(TestHost.ORG, session, (_, _, _) -> news.release())) {
            long last = 0;
            long since = System.nanoTime();
            while (true) {
                try {
                    Session now = store.journal().session(TestHost.ORG, session).orElseThrow();
                    if (rests(now)) {
                        return;
                    }
                    if (now.lastSeq().value() != last) {
                        last = now.lastSeq().value();
                        since = System.nanoTime();
                    } else if (TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since)
                            > PATIENCE_SECONDS) {
                        throw new AssertionError("it hangs: " + now);
                    }
                    sayYes(session);
                } catch (LedgerException e) {
                    // The database is away; so is everything else.
                    pause();
                }
                news.tryAcquire(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
                news.drainPermits();
            }
        }
    }

    private boolean rests(Session now) {
        return now.state() == SessionState.IDLE
                && store.journal().unconsumed(TestHost.ORG, now.id(), 1).isEmpty();
    }

    private void sayYes(SessionId session) {
        for (Approval waiting : store.approvals().pendingIn(TestHost.ORG, session)) {
            send(
                    "/v1/approvals/" + waiting.id().value(),
                    "{\"decision\": \"approve\"}",
                    waiting.id().value());
        }
        for (ActionRow question :
                store.journal()
                        .actions(
                                TestHost.ORG,
                                session,
                                EnumSet.of(ActionStatus.WAITING_INPUT),
                                0,
                                10)) {
            send(
                    "/v1/dev/" + session,
                    "{\"answer\": {\"question\": \"" + question.id() + "\", \"text\": \"Yes.\"}}",
                    session + "-answer-" + question.id());
        }
    }
}
