package ai.hanzo.dev.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskBlobStoreTest {

    @TempDir Path base;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static WorkspaceException.Code codeOf(Runnable action) {
        try {
            action.run();
        } catch (WorkspaceException e) {
            return e.code();
        }
        throw new AssertionError("nothing was thrown");
    }

    @Test
    void whatIsPutIsThereAfterReopening() {
        DiskBlobStore store = new DiskBlobStore(base.resolve("s"));
        Digest digest = store.put(bytes("hello"));
        assertThat(digest.hex())
                .as("sha256sum of hello")
                .isEqualTo("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
        DiskBlobStore again = new DiskBlobStore(base.resolve("s"));
        assertThat(again.get(digest)).isEqualTo(bytes("hello"));
        assertThat(again.id()).isEqualTo(store.id());
        assertThat(again.has(Digest.of(bytes("other")))).isFalse();
    }

    @Test
    void aBatchThatIsNotCommittedLeavesNothing() throws IOException {
        DiskBlobStore store = new DiskBlobStore(base.resolve("s"));
        Digest digest;
        try (BlobStore.Batch batch = store.batch()) {
            digest = batch.put(bytes("hello"), 5);
            assertThat(batch.newBytes()).isEqualTo(5);
        }
        assertThat(store.has(digest)).isFalse();
        try (var left = Files.list(base.resolve("s/tmp"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void twoWritersOfTheSameBlobBothSucceed() throws Exception {
        DiskBlobStore one = new DiskBlobStore(base.resolve("s"));
        DiskBlobStore two = new DiskBlobStore(base.resolve("s"));
        List<Future<Digest>> done = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 200; i++) {
                byte[] data = bytes("blob " + i / 4);
                DiskBlobStore store = i % 2 == 0 ? one : two;
                done.add(threads.submit(() -> store.put(data)));
            }
        }
        for (int i = 0; i < 200; i++) {
            assertThat(one.get(done.get(i).get())).isEqualTo(bytes("blob " + i / 4));
        }
        try (var left = Files.list(base.resolve("s/tmp"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void bigBatchesAreSyncedAtOnceAndWhole() {
        DiskBlobStore store = new DiskBlobStore(base.resolve("s"));
        try (BlobStore.Batch batch = store.batch()) {
            for (int i = 0; i < 500; i++) {
                batch.put(bytes("n" + i), ("n" + i).length());
            }
            batch.commit();
        }
        for (int i = 0; i < 500; i++) {
            assertThat(store.has(Digest.of(bytes("n" + i)))).isTrue();
        }
    }

    @Test
    void leftoversOfACrashAreSweptWhenTheyAreOld() throws IOException {
        Path store = base.resolve("s");
        assertThat(new DiskBlobStore(store).id()).isNotEmpty();
        Path old = Files.writeString(store.resolve("tmp/old"), "x");
        Path young = Files.writeString(store.resolve("tmp/young"), "x");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
        assertThat(new DiskBlobStore(store).id()).isNotEmpty();
        assertThat(old).doesNotExist();
        assertThat(young).exists();
    }

    @Test
    void onlyTheOwnerReadsIt() throws IOException {
        DiskBlobStore store = new DiskBlobStore(base.resolve("s"));
        store.put(bytes("hello"));
        try (var all = Files.walk(base.resolve("s"))) {
            for (Path p : (Iterable<Path>) all::iterator) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(p)))
                        .as("%s", p)
                        .endsWith("------");
            }
        }
    }

    @Test
    void s3AFullDiskIsNamedAndNothingIsHalfWritten() throws Exception {
        assumeTrue(Sys.isRoot(), "only root can mount a small file system");
        Path small = Files.createDirectories(base.resolve("small"));
        Process mount =
                new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=1m", "t", small.toString())
                        .start();
        assumeTrue(mount.waitFor() == 0, "this kernel does not let us mount");
        try {
            DiskBlobStore store = new DiskBlobStore(small.resolve("s"));
            Digest first = store.put(new byte[500_000]);
            byte[] tooMuch = new byte[900_000];
            tooMuch[0] = 1;
            assertThat(codeOf(() -> store.put(tooMuch)))
                    .isEqualTo(WorkspaceException.Code.STORAGE_FULL);
            assertThat(store.has(Digest.of(tooMuch))).isFalse();
            try (var left = Files.list(small.resolve("s/tmp"))) {
                assertThat(left).isEmpty();
            }
            assertThat(store.get(first)).hasSize(500_000);
            assertThatThrownBy(() -> store.put(tooMuch)).hasMessageContaining("No space is left");
            assertThat(store.get(store.put(bytes("goes on")))).isEqualTo(bytes("goes on"));
        } finally {
            new ProcessBuilder("umount", small.toString()).start().waitFor();
        }
    }

    private Path file(Digest digest) {
        return base.resolve("s/objects")
                .resolve(digest.hex().substring(0, 2))
                .resolve(digest.hex().substring(2));
    }

    private void age(Digest digest) throws IOException {
        Files.setLastModifiedTime(
                file(digest), FileTime.from(Instant.now().minus(Duration.ofDays(2))));
    }

    @Test
    void aSweepRemovesWhatIsOldAndNeededByNobody() throws IOException {
        DiskBlobStore store = new DiskBlobStore(base.resolve("s"));
        Digest old = store.put(bytes("old"));
        Digest needed = store.put(bytes("needed"));
        Digest young = store.put(bytes("young"));
        Digest again = store.put(bytes("again"));
        age(old);
        age(needed);
        age(again);
        store.put(bytes("again"));

        DiskBlobStore.Swept swept = store.sweep(Duration.ofDays(1), needed::equals);

        assertThat(swept).isEqualTo(new DiskBlobStore.Swept(1, 3));
        try (var all = store.all()) {
            assertThat(all).containsExactlyInAnyOrder(needed, young, again);
        }
        assertThat(store.get(again)).isEqualTo(bytes("again"));
    }

    @Test
    void whatAKilledSweepHadMovedAsideIsBack() throws IOException {
        DiskBlobStore store = new DiskBlobStore(base.resolve("s"));
        Digest digest = store.put(bytes("hello"));
        Files.move(file(digest), base.resolve("s/trash").resolve(digest.hex()));
        assertThat(store.get(digest)).as("while it is aside").isEqualTo(bytes("hello"));

        store.sweep(Duration.ofDays(1), _ -> false);

        assertThat(store.has(digest)).isTrue();
        assertThat(base.resolve("s/trash")).isEmptyDirectory();
    }

    @Test
    void whatIsPutWhileASweepGoesIsThereAfterwards() throws Exception {
        DiskBlobStore store = new DiskBlobStore(base.resolve("s"));
        DiskBlobStore sweeper = new DiskBlobStore(base.resolve("s"));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 200; round++) {
                byte[] content = bytes("content " + round % 3);
                Digest digest = store.put(content);
                age(digest);
                Future<?> sweep =
                        threads.submit(() -> sweeper.sweep(Duration.ofDays(1), _ -> false));
                store.put(content);
                assertThat(store.get(digest)).isEqualTo(content);
                sweep.get();
                assertThat(store.get(digest)).as("round " + round).isEqualTo(content);
            }
        }
    }

    private static Optional<BlobCipher> cipher(String key) {
        return Optional.of(new BlobCipher(bytes(key.repeat(32)), new SecureRandom()));
    }

    private Path only() throws IOException {
        try (Stream<Path> all = Files.walk(base.resolve("s/objects"))) {
            return all.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
    }

    @Test
    void withAKeyNoFileHoldsItsContent() throws IOException {
        DiskBlobStore store = new DiskBlobStore(base.resolve("s"), cipher("a"));
        Digest digest = store.put(bytes("hello, canary"));
        assertThat(Files.readString(only(), StandardCharsets.ISO_8859_1)).doesNotContain("canary");
        assertThat(new DiskBlobStore(base.resolve("s"), cipher("a")).get(digest))
                .isEqualTo(bytes("hello, canary"));
        assertThat(store.get(store.put(new byte[0]))).isEmpty();
    }

    @Test
    void aBitOfASealedFileThatFlipsIsFound() throws IOException {
        DiskBlobStore store = new DiskBlobStore(base.resolve("s"), cipher("a"));
        Digest digest = store.put(bytes("hello"));
        Path file = only();
        byte[] whole = Files.readAllBytes(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        for (int at = 0; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 1;
            Files.write(file, flipped);
            assertThat(codeOf(() -> store.get(digest)))
                    .as("byte " + at)
                    .isIn(
                            WorkspaceException.Code.BLOB_CORRUPT,
                            WorkspaceException.Code.BLOB_SEALED);
        }
        Files.write(file, whole);
        assertThat(store.get(digest)).isEqualTo(bytes("hello"));
    }

    @Test
    void underAnotherKeyItIsNamedAndWrittenAnew() {
        Digest digest = new DiskBlobStore(base.resolve("s"), cipher("a")).put(bytes("hello"));
        DiskBlobStore other = new DiskBlobStore(base.resolve("s"), cipher("b"));
        assertThat(codeOf(() -> other.get(digest))).isEqualTo(WorkspaceException.Code.BLOB_SEALED);
        assertThat(codeOf(() -> new DiskBlobStore(base.resolve("s")).get(digest)))
                .isEqualTo(WorkspaceException.Code.BLOB_SEALED);
        assertThat(other.id()).isNotEqualTo(new DiskBlobStore(base.resolve("s"), cipher("a")).id());
        assertThat(other.put(bytes("hello"))).isEqualTo(digest);
        assertThat(other.get(digest)).isEqualTo(bytes("hello"));
    }

    @Test
    void whatWasStoredBeforeThereWasAKeyIsReadWithOne() {
        Digest digest = new DiskBlobStore(base.resolve("s")).put(bytes("hello"));
        DiskBlobStore store = new DiskBlobStore(base.resolve("s"), cipher("a"));
        assertThat(store.get(digest)).isEqualTo(bytes("hello"));
        assertThat(store.put(bytes("hello"))).isEqualTo(digest);
        assertThat(store.file(digest)).isEqualTo(bytes("hello"));
    }

    @Test
    void aSealedFileMovesToAnotherStoreOfTheSameKey() {
        DiskBlobStore store = new DiskBlobStore(base.resolve("s"), cipher("a"));
        Digest digest = store.put(bytes("hello"));
        DiskBlobStore other = new DiskBlobStore(base.resolve("t"));
        try (BlobStore.Batch batch = other.batch()) {
            batch.putFile(digest, store.file(digest));
            batch.commit();
        }
        assertThat(new DiskBlobStore(base.resolve("t"), cipher("a")).get(digest))
                .isEqualTo(bytes("hello"));
    }
}
