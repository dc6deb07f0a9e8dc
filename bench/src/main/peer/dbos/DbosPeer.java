import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import dev.dbos.transact.workflow.WorkflowHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Steps that do nothing, on DBOS Transact: arguments are the JDBC URL, the number of connections,
 * of steps to warm up and to measure in one workflow, of workflows at once, and the seconds to warm
 * up and to measure those. PGUSER and PGPASSWORD log in. Prints three lines: version, the median of
 * a step in milliseconds, steps in a second.
 */
public final class DbosPeer {
    /** What DBOS makes durable. */
    public interface Steps {
        /** The median of {@code count} steps, in nanoseconds. */
        long count(int count);

        /** How many steps there were until {@code System.nanoTime()} is {@code deadline}. */
        long until(long deadline);
    }

    /** Its workflows. */
    public static final class NoSteps implements Steps {
        private final LongAdder all;
        private DBOS dbos;

        NoSteps(LongAdder all) {
            this.all = all;
        }

        @Override
        @Workflow(name = "count")
        public long count(int count) {
            long[] nanos = new long[count];
            for (int i = 0; i < count; i++) {
                long before = System.nanoTime();
                step();
                nanos[i] = System.nanoTime() - before;
            }
            Arrays.sort(nanos);
            return nanos[count / 2];
        }

        @Override
        @Workflow(name = "until")
        public long until(long deadline) {
            long done = 0;
            while (System.nanoTime() < deadline) {
                step();
                all.increment();
                done++;
            }
            return done;
        }

        private void step() {
            int _ = dbos.<Integer, RuntimeException>runStep(() -> 0, "nothing");
        }
    }

    public static void main(String... arguments) {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(arguments[0]);
        pool.setUsername(System.getenv("PGUSER"));
        pool.setPassword(System.getenv("PGPASSWORD"));
        pool.setMaximumPoolSize(Integer.parseInt(arguments[1]));
        LongAdder all = new LongAdder();
        NoSteps target = new NoSteps(all);
        try (HikariDataSource source = new HikariDataSource(pool);
                DBOS dbos = new DBOS(DBOSConfig.defaults("bench").withDataSource(source))) {
            target.dbos = dbos;
            Steps steps = dbos.registerProxy(Steps.class, target);
            dbos.launch();
            // As many in a workflow as it may well have.
            for (int left = Integer.parseInt(arguments[2]); left > 0; left -= 1000) {
                steps.count(Math.min(left, 1000));
            }
            long median = steps.count(Integer.parseInt(arguments[3]));
            int atOnce = Integer.parseInt(arguments[4]);
            together(dbos, steps, all, atOnce, Long.parseLong(arguments[5]));
            double perSecond = together(dbos, steps, all, atOnce, Long.parseLong(arguments[6]));
            System.out.println("version " + DBOS.version());
            System.out.println("step-millis " + median / 1e6);
            System.out.println("steps-per-second " + perSecond);
        }
    }

    private static double together(
            DBOS dbos, Steps steps, LongAdder all, int atOnce, long seconds) {
        long before = all.sum();
        long begun = System.nanoTime();
        List<WorkflowHandle<Long, RuntimeException>> running = new ArrayList<>();
        for (int i = 0; i < atOnce; i++) {
            running.add(dbos.startWorkflow(() -> steps.until(begun + seconds * 1_000_000_000L)));
        }
        running.forEach(WorkflowHandle::getResult);
        return (all.sum() - before) * 1e9 / (System.nanoTime() - begun);
    }

    private DbosPeer() {}
}
