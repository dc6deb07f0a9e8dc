package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.Assembly;
import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.v1.GetRequest;
import ai.hanzo.dev.host.op.v1.Session;
import ai.hanzo.dev.host.op.v1.StartRequest;
import ai.hanzo.dev.host.op.v1.Workspace;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Sessions that have had a turn and rest in a host, loaded. */
final class IdleSessions {
    /** Four times as many as a supervisor has cells. */
    static final int COUNT = Integer.getInteger("hanzo.bench.idle", 1_000);

    private static final int AT_ONCE = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long LOOK_NANOS = 20_000_000L;
    private static final double MEBIBYTE = 1 << 20;

    private IdleSessions() {}

    /**
     * Opens them, and gives what the heap of this JVM holds then, in MiB.
     *
     * @param root where each gets a directory of its own
     */
    static double heap(Assembly host, Path root) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                Path directory = Files.createDirectories(root.resolve("idle-" + i));
                all.add(threads.submit(() -> open(host, directory)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEBIBYTE;
    }

    private static void open(Assembly host, Path directory) {
        Session session =
                host.service()
                        .start(
                                Caller.localOwner(),
                                StartRequest.newBuilder()
                                        .setPrompt("Say hello.")
                                        .setModel("script:bench")
                                        .setScript("[{\"text\": \"Hello.\"}]")
                                        .setWorkspace(
                                                Workspace.newBuilder()
                                                        .setPath(directory.toString()))
                                        .build());
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        GetRequest look = GetRequest.newBuilder().setId(session.getId()).build();
        while (host.service().get(Caller.localOwner(), look).getState() != Session.State.idle) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("session " + session.getId() + " does not rest");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
