package ai.hanzo.dev.host.local;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Finds the host of a state directory, or starts one. Clients that race to start one meet at a lock
 * file: the first starts, the others find what it started. A host of another build is drained and
 * replaced. One thread.
 */
public final class LocalHosts {
    private static final Duration START = Duration.ofSeconds(90);
    private static final Duration READY = Duration.ofSeconds(20);
    private static final Duration STOP = Duration.ofSeconds(30);
    private static final Duration PROBE = Duration.ofSeconds(5);
    private static final int LOOK_MILLIS = 25;

    /** The exit code of a host that found another at work: EX_TEMPFAIL of sysexits.h. */
    public static final int ANOTHER_WORKS = 75;

    /** The exit code of what kill -9 ended: a shell's. */
    private static final int KILLED = 128 + 9;

    private static final long FULL_BYTES = 1 << 20;

    private final Home home;
    private final String build;
    private final Launch launch;
    private final Consumer<String> progress;

    /**
     * A client's view of a state directory.
     *
     * @param build of this client
     * @param progress told what is being done when it takes time
     */
    public LocalHosts(Home home, String build, Launch launch, Consumer<String> progress) {
        this.home = home;
        this.build = build;
        this.launch = launch;
        this.progress = progress;
    }

    /** What {@code host status} tells. */
    public sealed interface Status {
        /** Nothing runs. */
        record Down() implements Status {}

        /** A process is gone that did not say good-bye. */
        record Stale(long pid) implements Status {}

        /**
         * It runs.
         *
         * @param missing why it does not take work; empty when it is ready
         * @param sameBuild as this client
         */
        record Up(HostFile file, Optional<String> missing, boolean sameBuild) implements Status {}
    }

    /** The running host, or a new one: ready to take work. */
    public Endpoint ensure() {
        Optional<Endpoint> found = usable();
        if (found.isPresent()) {
            return found.get();
        }
        home.ensure();
        try (FileChannel channel = lockFile();
                FileLock _ = channel.lock()) {
            found = usable();
            if (found.isPresent()) {
                return found.get();
            }
            return begin();
        } catch (IOException e) {
            throw LocalException.home(home.path(), String.valueOf(e.getMessage()), e);
        }
    }

    private Endpoint begin() throws IOException {
        long deadline = System.nanoTime() + START.toNanos();
        boolean isTold = false;
        while (System.nanoTime() < deadline) {
            Optional<HostFile> other = alive();
            Optional<Endpoint> up;
            if (other.isEmpty()) {
                if (!isTold) {
                    progress.accept("starting the local host");
                    isTold = true;
                }
                up = start(deadline);
            } else if (other.get().build().equals(build)) {
                // It may be killed this very moment.
                up = await(other.get());
            } else {
                progress.accept(
                        "a host of another build runs (pid "
                                + other.get().pid()
                                + "); it is replaced");
                end(other.get());
                up = Optional.empty();
            }
            if (up.isPresent()) {
                return up.get();
            }
            pause();
        }
        throw LocalException.notStarted(
                home.hostLog(), "it was not ready after " + START.toSeconds() + " s.");
    }

    private FileChannel lockFile() throws IOException {
        return FileChannel.open(
                home.startLock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private Optional<HostFile> alive() {
        return HostFile.read(home).filter(file -> file.process().isPresent());
    }

    private Optional<Endpoint> usable() {
        return alive().filter(file -> file.build().equals(build)).flatMap(this::ready);
    }

    private Optional<Endpoint> ready(HostFile file) {
        return probe(file.address()).isEmpty() ? endpoint(file) : Optional.empty();
    }

    private static Optional<Endpoint> endpoint(HostFile file) {
        return file.token().map(token -> new Endpoint(file.address(), token, true));
    }

    /** Empty when the host is ready; else why not. */
    private static Optional<String> probe(URI address) {
        try {
            var connection =
                    (HttpURLConnection) address.resolve("/readyz").toURL().openConnection();
            connection.setConnectTimeout((int) PROBE.toMillis());
            connection.setReadTimeout((int) PROBE.toMillis());
            int status = connection.getResponseCode();
            try (InputStream body =
                    status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                if (body != null) {
                    body.readAllBytes();
                }
            }
            return status == 200 ? Optional.empty() : Optional.of("it is not ready yet");
        } catch (IOException e) {
            return Optional.of("it does not answer");
        }
    }

    /**
     * Empty: it was killed, or somebody else's works here and may not be ready yet, or the time is
     * over.
     */
    private Optional<Endpoint> start(long deadline) throws IOException {
        Process process = launch.start(home);
        while (System.nanoTime() < deadline) {
            Optional<Endpoint> up =
                    HostFile.read(home)
                            .filter(file -> file.pid() == process.pid())
                            .filter(file -> file.process().isPresent())
                            .flatMap(this::ready);
            if (up.isPresent()) {
                return up;
            }
            if (wait(process)) {
                int exit = process.exitValue();
                if (exit == ANOTHER_WORKS || exit == KILLED) {
                    return Optional.empty();
                }
                throw LocalException.notStarted(home.hostLog(), lastWords(exit));
            }
        }
        process.destroyForcibly();
        return Optional.empty();
    }

    /** A host that runs and is not ready: its database may be on its way. Empty if it ends. */
    private Optional<Endpoint> await(HostFile file) {
        long deadline = System.nanoTime() + READY.toNanos();
        Optional<String> why = probe(file.address());
        while (why.isPresent() && System.nanoTime() < deadline && file.process().isPresent()) {
            pause();
            why = probe(file.address());
        }
        if (file.process().isEmpty()) {
            return Optional.empty();
        }
        if (why.isPresent()) {
            throw LocalException.notReady(file.pid(), why.get(), home.hostLog());
        }
        return Optional.of(
                endpoint(file).orElseThrow(() -> LocalException.noToken(file.tokenFile())));
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a host is awaited", e);
        }
    }

    private static boolean wait(Process process) {
        try {
            return process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a host starts", e);
        }
    }

    /** The last line that the process printed before it ended: the sentence that says why. */
    private String lastWords(int exit) throws IOException {
        List<String> printed =
                Files.readAllLines(home.hostOutput(), java.nio.charset.StandardCharsets.ISO_8859_1)
                        .stream()
                        .filter(line -> !line.isBlank())
                        .filter(line -> !line.startsWith("\tat ") && !line.startsWith("WARNING:"))
                        .toList();
        if (!printed.isEmpty()) {
            return printed.getLast();
        }
        // It could not even say so.
        return Files.getFileStore(home.path()).getUsableSpace() < FULL_BYTES
                ? "the disk of " + home.path() + " is full; make room, then do it again."
                : "it ended with code " + exit + ".";
    }

    /** Looks; starts and changes nothing. */
    public Status status() {
        Optional<HostFile> file = home.exists() ? HostFile.read(home) : Optional.empty();
        if (file.isEmpty()) {
            return new Status.Down();
        }
        if (file.get().process().isEmpty()) {
            return new Status.Stale(file.get().pid());
        }
        return new Status.Up(
                file.get(), probe(file.get().address()), file.get().build().equals(build));
    }

    /**
     * Ends the running host and waits until it has ended.
     *
     * @return the pid of what ended; empty when nothing ran
     */
    public Optional<Long> stop() {
        if (!home.exists()) {
            return Optional.empty();
        }
        try (FileChannel channel = lockFile();
                FileLock _ = channel.lock()) {
            Optional<HostFile> file = alive();
            file.ifPresent(this::end);
            return file.map(HostFile::pid);
        } catch (IOException e) {
            throw LocalException.home(home.path(), String.valueOf(e.getMessage()), e);
        }
    }

    private void end(HostFile file) {
        Optional<ProcessHandle> process = file.process();
        if (process.isEmpty()) {
            return;
        }
        process.get().destroy();
        try {
            process.get().onExit().get(STOP.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException
                | java.util.concurrent.TimeoutException e) {
            throw LocalException.notStopped(file.pid(), STOP);
        }
    }
}
