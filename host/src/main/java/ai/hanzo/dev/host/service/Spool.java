package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.SessionFiles;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file without a name: it is gone with the process, however that ends. Written once, then read as
 * often as one likes; one thread.
 */
final class Spool implements SessionFiles.Outgoing {
    private static final int BUFFER_BYTES = 1 << 16;

    private final FileChannel channel;

    private Spool(FileChannel channel) {
        this.channel = channel;
    }

    /** An empty one on the disk of {@code directory}, which is made. */
    static Spool in(Path directory) {
        try {
            Files.createDirectories(
                    directory,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            Path name = Files.createTempFile(directory, "spool-", "");
            FileChannel channel =
                    FileChannel.open(
                            name, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
            Files.delete(name);
            return new Spool(channel);
        } catch (IOException e) {
            throw fault(e);
        }
    }

    /** What to do about a disk that takes no more. */
    static OpException fault(Exception e) {
        return OpException.of(
                OpCode.STORAGE_FULL,
                "The file cannot be kept on the way (" + e.getMessage() + ").",
                "Free some space in the state directory, then do it again.");
    }

    /** Takes what is to be in it; close it before the first reading. */
    OutputStream out() {
        return new BufferedOutputStream(
                new OutputStream() {
                    private final OutputStream file = Channels.newOutputStream(channel);

                    @Override
                    public void write(int b) throws IOException {
                        file.write(b);
                    }

                    @Override
                    public void write(byte[] bytes, int from, int length) throws IOException {
                        file.write(bytes, from, length);
                    }
                },
                BUFFER_BYTES);
    }

    @Override
    public long bytes() {
        try {
            return channel.size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public InputStream content() {
        return new BufferedInputStream(
                new InputStream() {
                    private long at;

                    @Override
                    public int read() throws IOException {
                        byte[] one = new byte[1];
                        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
                    }

                    @Override
                    public int read(byte[] into, int from, int length) throws IOException {
                        int read = channel.read(java.nio.ByteBuffer.wrap(into, from, length), at);
                        at += Math.max(read, 0);
                        return read;
                    }
                },
                BUFFER_BYTES);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
