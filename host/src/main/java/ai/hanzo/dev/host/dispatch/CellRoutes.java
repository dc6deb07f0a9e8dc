package ai.hanzo.dev.host.dispatch;

import ai.hanzo.dev.policy.Destination;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

/**
 * Where one cell may connect to. A name is judged by the rules, looked up once, and the address
 * that was checked is what is connected to. Threads: any.
 */
final class CellRoutes {
    /** For one address. */
    private static final Duration CONNECT = Duration.ofSeconds(15);

    private final CheckedNames names;
    private final List<Destination> allowed;

    /** A connection that is not made because it may not be. */
    static final class Denied extends IOException {
        private static final long serialVersionUID = 1;

        Denied(String why) {
            super(why);
        }
    }

    CellRoutes(CheckedNames names, List<Destination> allowed) {
        this.names = names;
        this.allowed = List.copyOf(allowed);
    }

    /**
     * Connects.
     *
     * @throws Denied when the rules or the address forbid it
     */
    Socket connect(String host, int port) throws IOException {
        String where = host + ":" + port;
        if (host.isEmpty() || isAddress(host)) {
            throw new Denied(where + " is denied: connections go to names, not to addresses");
        }
        if (allowed.stream().noneMatch(rule -> rule.allows(host, port))) {
            throw new Denied(
                    where + " is denied: add it to 'network' of the session's policy to allow it");
        }
        InetAddress[] addresses;
        try {
            addresses = names.resolve(host);
        } catch (CheckedNames.Refused e) {
            throw new Denied(where + " is denied: it is not a public address");
        }
        IOException last = new UnknownHostException(host);
        for (InetAddress address : addresses) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(address, port), (int) CONNECT.toMillis());
                socket.setTcpNoDelay(true);
                return socket;
            } catch (IOException e) {
                socket.close();
                last = e;
            }
        }
        throw last;
    }

    /**
     * In any of the spellings that a resolver takes for an address: 1.2.3.4, 0x7f.1, 2130706433,
     * ::1.
     */
    private static boolean isAddress(String host) {
        String last = host.substring(host.lastIndexOf('.') + 1);
        return host.contains(":") || last.isEmpty() || last.matches("[0-9]+|0[xX][0-9a-fA-F]*");
    }
}
