import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import dev.dbos.transact.workflow.WorkflowHandle;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Steps that do nothing, on DBOS Transact: arguments are the JDBC URL, the number of connections and
 * of workflows at once; PGUSER and PGPASSWORD log in. Prints its version when it is ready, then for
 * each line of standard input a number: for {@code one STEPS} the median of a step of one workflow in
 * milliseconds, for {@code many SECONDS} the steps of all in a second.
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

    public static void main(String... arguments) throws IOException {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(arguments[0]);
        pool.setUsername(System.getenv("PGUSER"));
        pool.setPassword(System.getenv("PGPASSWORD"));
        pool.setMaximumPoolSize(Integer.parseInt(arguments[1]));
        int atOnce = Integer.parseInt(arguments[2]);
        LongAdder all = new LongAdder();
        NoSteps target = new NoSteps(all);
        try (HikariDataSource source = new HikariDataSource(pool);
                DBOS dbos = new DBOS(DBOSConfig.defaults("bench").withDataSource(source));
                var lines = new BufferedReader(new InputStreamReader(System.in))) {
            target.dbos = dbos;
            Steps steps = dbos.registerProxy(Steps.class, target);
            dbos.launch();
            System.out.println(DBOS.version());
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                int much = Integer.parseInt(words[1]);
                System.out.println(
                        switch (words[0]) {
                            case "one" -> steps.count(much) / 1e6;
                            case "many" -> together(dbos, steps, all, atOnce, much);
                            default -> throw new IllegalArgumentException(line);
                        });
            }
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
