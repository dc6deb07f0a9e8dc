package ai.hanzo.dev.host.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;

/**
 * {@code host.json}: the running host, as it wrote itself down. It is stale when the process is
 * gone; the start time tells it from another process that was given the same pid since.
 *
 * @param pid of the host
 * @param startedAt of the process, to the precision that the kernel gives
 * @param address where it listens: {@code http://127.0.0.1:PORT}
 * @param tokenFile where its token is
 * @param build what it was built from; a client of another build replaces it
 */
public record HostFile(long pid, Instant startedAt, URI address, Path tokenFile, String build) {
    private static final int TOKEN_BYTES = 32;
    private static final String TOKEN = "[A-Za-z0-9_-]{32,200}";
    private static final Set<PosixFilePermission> OWNERS_ALONE =
            PosixFilePermissions.fromString("rw-------");

    /** This process, serving at {@code address}. */
    public static HostFile ofThisProcess(URI address, Path tokenFile, String build) {
        ProcessHandle me = ProcessHandle.current();
        return new HostFile(me.pid(), startOf(me), address, tokenFile, build);
    }

    private static Instant startOf(ProcessHandle process) {
        return process.info().startInstant().orElse(Instant.EPOCH);
    }

    /** What is written down; empty when there is nothing, or nothing that can be read. */
    public static Optional<HostFile> read(Home home) {
        try {
            Struct.Builder read = Struct.newBuilder();
            JsonFormat.parser().merge(Files.readString(home.hostFile()), read);
            return Optional.of(
                    new HostFile(
                            (long) read.getFieldsOrThrow("pid").getNumberValue(),
                            Instant.parse(text(read, "startedAt")),
                            URI.create(text(read, "address")),
                            Path.of(text(read, "tokenFile")),
                            text(read, "build")));
        } catch (NoSuchFileException
                | InvalidProtocolBufferException
                | IllegalArgumentException
                | DateTimeException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw LocalException.home(
                    home.path(),
                    Files.isDirectory(home.path())
                            ? "host.json cannot be read"
                            : "it is not a directory",
                    e);
        }
    }

    private static String text(Struct.Builder from, String name) {
        return from.getFieldsOrThrow(name).getStringValue();
    }

    /** Writes it down, whole or not at all. */
    public void publish(Home home) throws IOException {
        Struct written =
                Struct.newBuilder()
                        .putFields("pid", Value.newBuilder().setNumberValue((double) pid).build())
                        .putFields("startedAt", text(startedAt.toString()))
                        .putFields("address", text(address.toString()))
                        .putFields("tokenFile", text(tokenFile.toString()))
                        .putFields("build", text(build))
                        .build();
        replace(home.hostFile(), JsonFormat.printer().print(written) + "\n");
    }

    private static Value text(String text) {
        return Value.newBuilder().setStringValue(text).build();
    }

    /** Removes what this process wrote; leaves what another one wrote. */
    public void withdraw(Home home) throws IOException {
        if (read(home).equals(Optional.of(this))) {
            Files.deleteIfExists(home.hostFile());
        }
    }

    /** A new token of 256 bits, in the token file. */
    public static String newToken(Home home, SecureRandom random) throws IOException {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        replace(home.tokenFile(), token + "\n");
        return token;
    }

    /**
     * Takes the token that {@code given} holds, as hosts behind one address do: a client cannot
     * know which of them answers.
     *
     * @throws LocalException when there is none that is long enough, or others may read it
     */
    public static String givenToken(Home home, Path given) throws IOException {
        String token;
        try {
            token = Files.readString(given).strip();
            if (!Files.getPosixFilePermissions(given).equals(OWNERS_ALONE)) {
                throw LocalException.tokenFile(given, "others may read it; chmod 600 it");
            }
        } catch (IOException e) {
            throw LocalException.tokenFile(given, "it cannot be read; check its name");
        }
        if (!token.matches(TOKEN)) {
            throw LocalException.tokenFile(
                    given, "it has to hold 32 to 200 letters, digits, - and _, and nothing else");
        }
        replace(home.tokenFile(), token + "\n");
        return token;
    }

    private static void replace(Path file, String content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid());
        Files.deleteIfExists(fresh);
        Files.createFile(fresh, PosixFilePermissions.asFileAttribute(OWNERS_ALONE));
        Files.writeString(fresh, content, UTF_8, StandardOpenOption.TRUNCATE_EXISTING);
        Files.move(
                fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The token that goes with it. */
    public Optional<String> token() {
        try {
            return Optional.of(Files.readString(tokenFile).strip()).filter(t -> !t.isEmpty());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The process, when it is this one and not a later one with its pid. */
    public Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process -> startOf(process).equals(startedAt))
                .filter(_ -> !isZombie());
    }

    /** Dead, and its parent has not looked yet; proc(5), /proc/pid/stat, after the name. */
    private boolean isZombie() {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.startsWith(" Z", stat.lastIndexOf(')') + 1);
        } catch (IOException e) {
            return false;
        }
    }
}
