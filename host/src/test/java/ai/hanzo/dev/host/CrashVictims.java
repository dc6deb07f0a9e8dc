package ai.hanzo.dev.host;

import ai.hanzo.dev.host.CrashPlan.Kill;
import ai.hanzo.dev.ledger.pg.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills processes by a plan. A host is started again, as its user would do; everything else has to
 * come back by itself. One thread.
 */
final class CrashVictims implements AutoCloseable {
    /** A place that is on the way of every turn is reached long before. */
    private static final Duration UNTIL_REACHED = Duration.ofMinutes(5);

    private static final Logger log = LoggerFactory.getLogger(CrashVictims.class);

    private static final int KILLED = 137;

    private final Path home;
    private final EmbeddedPostgres postgres;
    private final Random random;
    private final List<Kill> left;
    private final List<Long> startMillis = new ArrayList<>();
    private ForkedHost host;

    CrashVictims(Path home, EmbeddedPostgres postgres, CrashPlan plan, long seed) {
        this.home = home;
        this.postgres = postgres;
        this.random = new Random(seed);
        this.left = new ArrayList<>(plan.kills());
        this.host = start();
    }

    /** How long each host took until it served, in the order of the starts. */
    List<Long> startMillis() {
        return startMillis;
    }

    /** Starts a host that will end itself at the next place of the plan. */
    private ForkedHost start() {
        List<String> options =
                left.stream()
                        .filter(Kill.At.class::isInstance)
                        .map(Kill.At.class::cast)
                        .findFirst()
                        .map(at -> List.of(at.property()))
                        .orElse(List.of());
        long began = System.nanoTime();
        ForkedHost started = new ForkedHost(home, Optional.empty(), options);
        startMillis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
        return started;
    }

    /** Carries out the whole plan. */
    void killAll() throws InterruptedException {
        while (!left.isEmpty()) {
            // The host may have reached its place before the plan did.
            if (!host.isAlive()) {
                if (host.exit() != KILLED) {
                    throw new AssertionError("the host ended by itself: " + host.printed());
                }
                Kill reached = nextPlace();
                left.remove(reached);
                log.atInfo().addKeyValue("kill", reached).log("killed");
                host = start();
                continue;
            }
            switch (left.getFirst()) {
                case Kill.At at -> {
                    if (!host.ends(UNTIL_REACHED)) {
                        throw new AssertionError(
                                at + " was not reached; the host said: " + host.printed());
                    }
                }
                case Kill.After(CrashPlan.Victim victim, Duration pause) -> {
                    new Semaphore(0).tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS);
                    log.atInfo().addKeyValue("kill", left.removeFirst()).log("killing");
                    kill(victim);
                }
            }
        }
        if (!host.isAlive()) {
            host = start();
        }
    }

    private Kill nextPlace() {
        return left.stream()
                .filter(Kill.At.class::isInstance)
                .findFirst()
                .orElseThrow(() -> new AssertionError("the host ended: " + host.printed()));
    }

    private void kill(CrashPlan.Victim victim) {
        switch (victim) {
            case HOST -> {
                host.kill();
                host = start();
            }
            case SUPERVISOR -> supervisor().ifPresent(CrashVictims::kill);
            case CELL ->
                    supervisor()
                            .flatMap(supervisor -> any(supervisor.descendants().toList()))
                            .ifPresent(CrashVictims::kill);
            case POSTGRES -> server().ifPresent(CrashVictims::kill);
            case BACKEND ->
                    server().flatMap(server -> any(server.children().toList()))
                            .ifPresent(CrashVictims::kill);
        }
    }

    private Optional<ProcessHandle> any(List<ProcessHandle> processes) {
        return processes.isEmpty()
                ? Optional.empty()
                : Optional.of(processes.get(random.nextInt(processes.size())));
    }

    private Optional<ProcessHandle> server() {
        return postgres.pid().flatMap(ProcessHandle::of);
    }

    private Optional<ProcessHandle> supervisor() {
        String directory = home.resolve("cells").toString();
        return ProcessHandle.allProcesses()
                .filter(process ->
                        process.info()
                                .commandLine()
                                .filter(line ->
                                        line.contains("supervise") && line.contains(directory))
                                .isPresent())
                .findFirst();
    }

    private static void kill(ProcessHandle process) {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        host.close();
    }
}
