package ai.hanzo.dev.ledger.pg;

import static ai.hanzo.dev.ledger.Given.ORG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.hanzo.dev.ledger.Appended;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.ledger.jdbc.EmbeddedStore;
import ai.hanzo.dev.ledger.jdbc.PostgresStore;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk fills up under load, with 20 MB left for the database. Field case S3. */
final class DiskFullIT {
    private static final long LEFT_BYTES = 20L << 20;
    private static final int PAYLOAD_BYTES = 64 << 10;

    /** More of them than the disk holds. */
    private static final int ENTRIES = 2_000;

    /** What a full disk may look like: PostgreSQL ends when it cannot write its log. */
    private static final Set<LedgerException.Code> CLEAN =
            EnumSet.of(
                    LedgerException.Code.STORAGE_FULL,
                    LedgerException.Code.DATABASE_GONE,
                    LedgerException.Code.UNKNOWN_OUTCOME);

    @TempDir private Path dir;
    private final Random random = new Random(3);
    private Path disk;
    private EmbeddedPostgres postgres;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(dir.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=400m,mode=700", "none", disk.toString()),
                "needs the right to mount a tmpfs");
        Path root = Files.createDirectory(disk.resolve("pg"));
        OneCluster.giveCluster(root);
        postgres = new EmbeddedPostgres(root);
    }

    @AfterEach
    void unmount() throws Exception {
        if (postgres != null) {
            postgres.stop();
            assertThat(run("umount", disk.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    /** Takes all but {@link #LEFT_BYTES} of the disk. */
    private Path ballast() throws IOException {
        Path file = disk.resolve("ballast");
        long bytes = Files.getFileStore(disk).getUsableSpace() - LEFT_BYTES;
        byte[] block = new byte[1 << 20];
        try (var out = Files.newOutputStream(file)) {
            for (long written = 0; written < bytes; written += block.length) {
                out.write(block);
            }
        }
        return file;
    }

    private NewEntry big() {
        byte[] bytes = new byte[PAYLOAD_BYTES];
        random.nextBytes(bytes);
        return NewEntry.ofHost(EntryKind.NOTE, Optional.empty(), Bytes.wrap(bytes));
    }

    @Test
    void whatWasAcknowledgedIsThereAndTheSessionGoesOnFromTheSameSequence() throws Exception {
        try (PostgresStore store = TestPostgres.open(EmbeddedStore.prepare(postgres.start()))) {
            SessionId session = Given.opened(store, Given.session()).id();
            Path ballast = ballast();
            Seq acknowledged = fill(store, session);
            assertThat(acknowledged.value()).as("some fitted").isGreaterThan(20);

            Files.delete(ballast);
            postgres.start();
            Entry next = committed(store, session);

            // A commit whose answer was lost may have been kept: one, and whole.
            assertThat(next.seq().value())
                    .isBetween(acknowledged.value() + 1, acknowledged.value() + 2);
            assertThat(store.journal().verify(ORG, session))
                    .isEqualTo(new Verification.Sound(next.seq().value(), next.digest()));
        }
    }

    /** Appends until nothing fits, and some more; the last that was acknowledged. */
    private Seq fill(PostgresStore store, SessionId session) {
        Seq last = new Seq(1);
        int refused = 0;
        for (int i = 0; i < ENTRIES && refused < 5; i++) {
            try {
                last =
                        ((Appended.Committed) store.ledger().append(ORG, session, big()))
                                .entry()
                                .seq();
            } catch (LedgerException e) {
                assertThat(e.code()).isIn(CLEAN);
                assertThat(e.getMessage()).endsWith(".");
                refused++;
            }
        }
        assertThat(refused).as("the disk is full").isEqualTo(5);
        return last;
    }

    /** The first append after there is space again; the pool may have to connect anew. */
    private Entry committed(PostgresStore store, SessionId session) {
        for (int attempt = 1; ; attempt++) {
            try {
                return Given.committed(store.ledger().append(ORG, session, Given.note("again")));
            } catch (LedgerException e) {
                if (attempt == 5) {
                    throw e;
                }
            }
        }
    }
}
