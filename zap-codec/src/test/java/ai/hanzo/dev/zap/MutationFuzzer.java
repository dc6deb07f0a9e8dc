package ai.hanzo.dev.zap;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.FuzzSubjects.Subject;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Reads damaged messages and holds the reader to its word: a value or a refusal, within its budget,
 * without memory beyond the input's size. A message that is treated in a way not seen before is
 * kept and damaged further. One thread.
 *
 * <p>Not a clock but the reader's own counts are asserted, and the bytes that the JVM says this
 * thread has allocated.
 */
final class MutationFuzzer {
    /** A strict walk may allocate so many times the input. */
    private static final int ALLOCATION_FACTOR = 4;

    /** A refusal is an exception with its text and trace, whatever the input. */
    private static final long REFUSAL_BYTES = 8_192;

    private static final int MAX_KEPT = 4_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final SplittableRandom random;
    private final Mutator mutator;
    private final List<byte[]> corpus;
    private final Set<Long> seen = new HashSet<>();
    private final Validator validator = new Validator();
    private final ZapReader strict = ZapReader.empty();
    private final ZapReader compatible = ZapReader.empty();
    private final CompatibleWalk walk = new CompatibleWalk();
    private final Recount recount = new Recount();
    private long accepted;
    private long refused;

    MutationFuzzer(long seed, List<byte[]> seeds) {
        this.random = new SplittableRandom(seed);
        this.mutator = new Mutator(random);
        this.corpus = new ArrayList<>(seeds);
    }

    long accepted() {
        return accepted;
    }

    long refused() {
        return refused;
    }

    /** Ways in which messages were treated. */
    int ways() {
        return seen.size();
    }

    /** The seeds, and what was kept. */
    List<byte[]> corpus() {
        return corpus;
    }

    /** Reads the seeds, and then so many damaged messages. */
    void run(long executions) {
        for (byte[] seed : List.copyOf(corpus)) {
            for (Subject subject : FuzzSubjects.ALL) {
                execute(seed, subject);
            }
        }
        for (long i = 0; i < executions; i++) {
            byte[] input = mutator.mutate(corpus.get(random.nextInt(corpus.size())), corpus);
            Subject subject = FuzzSubjects.ALL.get(random.nextInt(FuzzSubjects.ALL.size()));
            try {
                long way = execute(input, subject);
                if (seen.add(way) && corpus.size() < MAX_KEPT) {
                    corpus.add(input);
                }
            } catch (RuntimeException | AssertionError | StackOverflowError e) {
                throw new AssertionError(
                        "execution %d, %s: %s"
                                .formatted(i, subject.name(), Bytes.wrap(input).toHex()),
                        e);
            }
        }
    }

    /** Reads one message in every way; answers what sets its treatment apart from others. */
    long execute(byte[] input, Subject subject) {
        readCompatibly(input, subject);
        Budget budget = Budget.standard();
        CodecException.Code refusal = walkStrictly(input, subject, budget);
        checkAllocation(input, subject);
        if (refusal == null) {
            accepted++;
            recount.check(strict, subject.layout(), budget);
            decode(input, subject);
        } else {
            refused++;
        }
        checkBudget(budget, input.length);
        return way(subject, refusal, budget);
    }

    /** A second walk, so that what is made once and kept is not counted. */
    private void checkAllocation(byte[] input, Subject subject) {
        Budget budget = Budget.standard();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        CodecException.Code refusal = walkStrictly(input, subject, budget);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        long once = refusal == null ? 0 : REFUSAL_BYTES;
        atMost((long) ALLOCATION_FACTOR * input.length + once, allocated, "bytes allocated");
    }

    private CodecException.@org.jspecify.annotations.Nullable Code walkStrictly(
            byte[] input, Subject subject, Budget budget) {
        try {
            strict.reopen(input, 0, input.length, ZapReader.Mode.STRICT);
            validator.check(strict, subject.layout(), budget);
            return null;
        } catch (CodecException e) {
            return e.code();
        }
    }

    /** What passed is a tree: no byte belongs to two values, and no value takes no byte. */
    private static void checkBudget(Budget budget, int length) {
        atMost(2L * length, budget.bytes(), "bytes looked at");
        atMost(length, budget.visits(), "visits");
        atMost(Budget.MAX_DEPTH, budget.deepest(), "depth");
    }

    /** Ten million times over, so without a library. */
    private static void atMost(long limit, long found, String what) {
        if (found > limit) {
            throw new AssertionError(found + " " + what + ", above " + limit);
        }
    }

    private void readCompatibly(byte[] input, Subject subject) {
        try {
            compatible.reopen(input, 0, input.length, ZapReader.Mode.COMPATIBLE);
        } catch (CodecException e) {
            return;
        }
        walk.walk(compatible, subject.layout());
    }

    /** The records' own checks may refuse, in the same way. */
    private static void decode(byte[] input, Subject subject) {
        try {
            subject.decode().accept(Bytes.wrap(input));
        } catch (CodecException _) {
            // A value that the schema has no name for is refused by whoever makes the record.
        }
    }

    private static long way(
            Subject subject,
            CodecException.@org.jspecify.annotations.Nullable Code refusal,
            Budget budget) {
        return Objects.hash(
                subject.name(),
                refusal,
                Long.numberOfLeadingZeros(budget.visits()),
                Long.numberOfLeadingZeros(budget.bytes()),
                budget.deepest());
    }
}
