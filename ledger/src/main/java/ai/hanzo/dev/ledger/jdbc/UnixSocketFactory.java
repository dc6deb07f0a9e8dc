package ai.hanzo.dev.ledger.jdbc;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.SocketFactory;

/**
 * Makes the sockets of a JDBC URL with {@code socketFactory=…UnixSocketFactory} and {@code
 * socketFactoryArg=} the socket's path. Public because pgjdbc makes it by name.
 */
public final class UnixSocketFactory extends SocketFactory {
    private final Path path;

    /** For the socket at {@code path}. */
    public UnixSocketFactory(String path) {
        this.path = Path.of(path);
    }

    @Override
    public Socket createSocket() {
        return new UnixSocket(path);
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException("a unix socket has no host and port");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException("a unix socket has no host and port");
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException("a unix socket has no host and port");
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException("a unix socket has no host and port");
    }
}
