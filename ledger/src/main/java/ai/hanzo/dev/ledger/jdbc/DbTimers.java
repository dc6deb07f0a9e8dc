package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Appended;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.IdempotencyKey;
import ai.hanzo.dev.ledger.Ledger;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Payload;
import ai.hanzo.dev.ledger.Timers;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.exceptions.TaskInstanceNotFoundException;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.FailureHandler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.TaskInstanceId;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Timers on db-scheduler: its table, its look every ten seconds, its threads. */
final class DbTimers implements Timers, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DbTimers.class);
    private static final String TASK = "session-timer";
    private static final String LIMIT = "turn-limit";
    private static final Duration LOOK = Duration.ofSeconds(10);
    private static final Duration RETRY = Duration.ofSeconds(10);
    private static final int THREADS = 4;

    private final DataSource pool;
    private final Ledger ledger;
    private final OneTimeTask<byte[]> task;
    private final OneTimeTask<byte[]> limit;
    private final SchedulerClient client;
    // Guarded by this.
    private final List<RecurringTask<Void>> recurring = new ArrayList<>();
    // Guarded by this.
    private @Nullable Scheduler scheduler;

    DbTimers(DataSource pool, Ledger ledger) {
        this.pool = pool;
        this.ledger = ledger;
        this.task = oneTime(TASK, this::fire);
        this.limit = oneTime(LIMIT, this::endTurn);
        this.client =
                SchedulerClient.Builder.create(pool, task, limit)
                        .serializer(new PlainBytes())
                        .build();
    }

    private static OneTimeTask<byte[]> oneTime(String name, Consumer<TaskInstance<byte[]>> work) {
        return Tasks.oneTime(name, byte[].class)
                .onFailure(new FailureHandler.OnFailureRetryLater<>(RETRY))
                .execute((instance, _) -> work.accept(instance));
    }

    @Override
    public void schedule(OrgId org, SessionId session, Timer timer) {
        TaskInstance<byte[]> instance =
                task.instance(id(org, session, timer.name()), encode(timer.at(), timer.payload()));
        if (!client.scheduleIfNotExists(instance, timer.at())) {
            client.reschedule(instance, timer.at(), instance.getData());
        }
    }

    @Override
    public void cancel(OrgId org, SessionId session, String name) {
        forget(session, task.instanceId(id(org, session, name)));
    }

    @Override
    public void limit(OrgId org, SessionId session, TurnId turn, Instant at, Bytes cancel) {
        client.scheduleIfNotExists(
                limit.instance(id(org, session, turn.toString()), encode(at, cancel)), at);
    }

    @Override
    public void unlimit(OrgId org, SessionId session, TurnId turn) {
        forget(session, limit.instanceId(id(org, session, turn.toString())));
    }

    private void forget(SessionId session, TaskInstanceId timer) {
        try {
            client.cancel(timer);
        } catch (TaskInstanceNotFoundException _) {
            log.atDebug().addKeyValue("session", session).log("that timer is gone already");
        }
    }

    @Override
    public synchronized void every(String name, Duration period, Runnable job) {
        if (scheduler != null) {
            throw new IllegalStateException("the timers run already");
        }
        recurring.add(Tasks.recurring(name, FixedDelay.of(period)).execute((_, _) -> job.run()));
    }

    @Override
    public synchronized void start() {
        if (scheduler != null) {
            return;
        }
        Scheduler made =
                Scheduler.create(pool, task, limit)
                        .startTasks(recurring)
                        .serializer(new PlainBytes())
                        .pollingInterval(LOOK)
                        .enableImmediateExecution()
                        .threads(THREADS)
                        .executorService(Executors.newVirtualThreadPerTaskExecutor())
                        .build();
        scheduler = made;
        made.start();
    }

    private void fire(TaskInstance<byte[]> instance) {
        append(instance, EntryKind.TIMER, Optional.empty(), (name, at) -> name + "@" + at);
    }

    /** A turn is over its limit. One that has ended, or is put away, is left alone. */
    private void endTurn(TaskInstance<byte[]> instance) {
        TurnId turn = new TurnId(Long.parseLong(address(instance)[2]));
        append(
                instance,
                EntryKind.CANCEL,
                Optional.of(turn),
                (name, at) -> LIMIT + "@" + at + "/" + name);
    }

    /**
     * Appends what a timer brings.
     *
     * @param key of the timer's name and time: fired twice, by a host that died before it could say
     *     so, it still is one entry
     */
    private void append(
            TaskInstance<byte[]> instance,
            EntryKind kind,
            Optional<TurnId> turn,
            BinaryOperator<String> key) {
        String[] address = address(instance);
        Bytes data = Bytes.wrap(instance.getData());
        Bytes payload = data.slice(Long.BYTES, data.length());
        String mine = key.apply(address[2], data.slice(0, Long.BYTES).toHex());
        Appended appended =
                ledger.append(
                        new OrgId(address[0]),
                        new SessionId(address[1]),
                        new NewEntry(
                                kind,
                                turn,
                                NewEntry.HOST,
                                Optional.of(new IdempotencyKey(mine, Sha256.of(payload))),
                                Payload.of(payload)));
        log.atDebug().addKeyValue("session", address[1]).log("{}: {}", kind, appended);
    }

    /** Org, session, and the timer's name. */
    private static String[] address(TaskInstance<byte[]> instance) {
        return instance.getId().split("/", 3);
    }

    private static String id(OrgId org, SessionId session, String name) {
        return org + "/" + session + "/" + name;
    }

    /** Eight bytes of milliseconds, then the payload. */
    private static byte[] encode(Instant at, Bytes payload) {
        byte[] data = new byte[Long.BYTES + payload.length()];
        ByteBuffer.wrap(data).putLong(at.toEpochMilli());
        payload.copyTo(data, Long.BYTES);
        return data;
    }

    /** What is bytes stays as it is; nothing is read by Java's serialization. */
    private static final class PlainBytes implements Serializer {
        @Override
        public byte @Nullable [] serialize(@Nullable Object data) {
            return (byte[]) data;
        }

        @Override
        public <T> @Nullable T deserialize(Class<T> type, byte @Nullable [] data) {
            return data == null || type == Void.class ? null : type.cast(data);
        }
    }

    @Override
    public void close() {
        Scheduler running;
        synchronized (this) {
            running = scheduler;
            scheduler = null;
        }
        if (running != null) {
            running.stop();
        }
    }
}
