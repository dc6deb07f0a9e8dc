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
    public long batch(Measure measure) {
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

    private static long cpuNanos() {
        return THREADS.getCurrentThreadCpuTime();
    }

    private long openings(Conversation conversation, int operations) {
        long before = cpuNanos();
        for (int i = 0; i < operations; i++) {
            try (Core core = cores.open(cores.current(), conversation.config())) {
                kept += core.hashCode();
            }
        }
        return cpuNanos() - before;
    }

    private Core restore(Conversation conversation) {
        return cores.restore(cores.current(), conversation.state());
    }

    private long restores(Conversation conversation, int operations) {
        long before = cpuNanos();
        for (int i = 0; i < operations; i++) {
            try (Core core = restore(conversation)) {
                kept += core.hashCode();
            }
        }
        return cpuNanos() - before;
    }

    private long snapshots(Conversation conversation, int operations) {
        try (Core core = restore(conversation)) {
            long before = cpuNanos();
            for (int i = 0; i < operations; i++) {
                kept += core.snapshot().length();
            }
            return cpuNanos() - before;
        }
    }

    private long steps(Conversation conversation, int operations) {
        long nanos = 0;
        var open = new Core[Measure.SESSIONS];
        for (int done = 0; done < operations; done += open.length * Conversation.EVENTS) {
            for (int i = 0; i < open.length; i++) {
                open[i] = restore(conversation);
            }
            long before = cpuNanos();
            for (Core core : open) {
                for (Bytes event : conversation.turn()) {
                    kept += core.step(event).length();
                }
            }
            nanos += cpuNanos() - before;
            for (Core core : open) {
                core.close();
            }
        }
        return nanos;
    }

    @Override
    public void close() {
        cores.close();
    }
}
