package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.core.Core;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.protocol.Bytes;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;

/** The core in this JVM, behind the interface that the host uses. */
final class CoresEngine implements Engine {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final String name;
    private final Cores cores;
    private final Map<Integer, Conversation> conversations;

    /** Keeps what was made, so that nothing is optimised away. */
    private int kept;

    CoresEngine(String name, Cores cores, Map<Integer, Conversation> conversations) {
        this.name = name;
        this.cores = cores;
        this.conversations = Map.copyOf(conversations);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Batch batch(Measure measure) {
        Conversation conversation = conversations.get(measure.messages());
        if (conversation == null) {
            throw new IllegalArgumentException("no conversation of " + measure.messages());
        }
        return switch (measure.kind()) {
            case OPEN -> openings(conversation, measure.operations());
            case RESTORE -> restores(conversation, measure.operations());
            case SNAPSHOT -> snapshots(conversation, measure.operations());
            case STEP -> steps(conversation, measure.operations());
        };
    }

    int kept() {
        return kept;
    }

    /** What a thread did between two moments, or several times so. */
    private static final class Clock {
        private long cpuNanos;
        private long wallNanos;

        void start() {
            wallNanos -= System.nanoTime();
            cpuNanos -= THREADS.getCurrentThreadCpuTime();
        }

        void stop() {
            cpuNanos += THREADS.getCurrentThreadCpuTime();
            wallNanos += System.nanoTime();
        }

        Batch batch() {
            return new Batch(cpuNanos, wallNanos);
        }
    }

    private Batch openings(Conversation conversation, int operations) {
        var clock = new Clock();
        clock.start();
        for (int i = 0; i < operations; i++) {
            try (Core core = cores.open(cores.current(), conversation.config())) {
                kept += core.hashCode();
            }
        }
        clock.stop();
        return clock.batch();
    }

    private Core restore(Conversation conversation) {
        return cores.restore(cores.current(), conversation.state());
    }

    private Batch restores(Conversation conversation, int operations) {
        var clock = new Clock();
        clock.start();
        for (int i = 0; i < operations; i++) {
            try (Core core = restore(conversation)) {
                kept += core.hashCode();
            }
        }
        clock.stop();
        return clock.batch();
    }

    private Batch snapshots(Conversation conversation, int operations) {
        try (Core core = restore(conversation)) {
            var clock = new Clock();
            clock.start();
            for (int i = 0; i < operations; i++) {
                kept += core.snapshot().length();
            }
            clock.stop();
            return clock.batch();
        }
    }

    private Batch steps(Conversation conversation, int operations) {
        var clock = new Clock();
        var open = new Core[Measure.SESSIONS];
        for (int done = 0; done < operations; done += open.length * Conversation.EVENTS) {
            for (int i = 0; i < open.length; i++) {
                open[i] = restore(conversation);
            }
            clock.start();
            for (Core core : open) {
                for (Bytes event : conversation.turn()) {
                    kept += core.step(event).length();
                }
            }
            clock.stop();
            for (Core core : open) {
                core.close();
            }
        }
        return clock.batch();
    }

    @Override
    public void close() {
        cores.close();
    }
}
