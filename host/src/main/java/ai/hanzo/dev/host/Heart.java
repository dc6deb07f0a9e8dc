package ai.hanzo.dev.host;

import ai.hanzo.dev.host.session.LiveSessions;
import ai.hanzo.dev.ledger.Leases;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.protocol.id.HostId;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says to the ledger that this host lives, and takes up what dead hosts left. One virtual thread;
 * it holds no state that matters: what it misses once it sees the next time.
 */
final class Heart implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Heart.class);
    private static final int AT_ONCE = 1000;

    private final Leases leases;
    private final LiveSessions live;
    private final HostId host;
    private final Runnable whenDead;
    private final Thread thread;
    private volatile boolean well = true;

    /**
     * @param whenDead called once when other hosts have declared this one dead
     */
    Heart(Leases leases, LiveSessions live, HostId host, Runnable whenDead) {
        this.leases = leases;
        this.live = live;
        this.host = host;
        this.whenDead = whenDead;
        this.thread = Thread.ofVirtual().name("heart").unstarted(this::run);
    }

    /** Takes up orphans now, and beats from now on. */
    void start() {
        takeUp(leases.orphans(host, AT_ONCE));
        thread.start();
    }

    private void run() {
        Duration period = leases.beat();
        try {
            while (true) {
                Thread.sleep(period);
                if (!beat()) {
                    log.atError()
                            .addKeyValue("host", host)
                            .log("other hosts have declared this one dead, for it did not beat");
                    whenDead.run();
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** False when this host is dead to the others. */
    private boolean beat() {
        try {
            switch (leases.heartbeat(host)) {
                case Leases.Beat.Alive(List<Leases.Waiting> waiting) -> takeUp(waiting);
                case Leases.Beat.Dead _ -> {
                    return false;
                }
            }
            takeUp(leases.orphans(host, AT_ONCE));
            well = true;
        } catch (LedgerException e) {
            well = false;
            log.atWarn().addKeyValue("code", e.code()).log("no heartbeat");
        }
        return true;
    }

    /** Whether the newest beat reached the database. */
    boolean isWell() {
        return well;
    }

    private void takeUp(List<Leases.Waiting> sessions) {
        sessions.forEach(session -> live.ensure(session.org(), session.session()));
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
