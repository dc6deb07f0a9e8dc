package ai.hanzo.dev.host.dispatch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Resolves a name once for each connection and gives only addresses that may be reached: what was
 * checked is what is connected to, so a name that answers otherwise the next time (DNS rebinding)
 * gains nothing. Threads: any.
 */
final class CheckedNames implements DnsResolver {
    private final Names names;
    private final WebEffects.Reachable reachable;

    /** Looks names up. */
    interface Names {
        InetAddress[] lookUp(String host) throws UnknownHostException;
    }

    /** A name has an address that may not be reached. */
    static final class Refused extends UnknownHostException {
        private static final long serialVersionUID = 1;

        Refused(String host) {
            super(host + " is not a public address; the host opens only those");
        }
    }

    CheckedNames(Names names, WebEffects.Reachable reachable) {
        this.names = names;
        this.reachable = reachable;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] addresses = names.lookUp(host);
        for (InetAddress address : addresses) {
            if (!reachable.test(address)) {
                throw new Refused(host);
            }
        }
        return addresses;
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }

    /**
     * Not loopback, private, link-local, multicast, shared (100.64/10), unique local or
     * IPv4-mapped.
     */
    static boolean isPublic(InetAddress address) {
        byte[] raw = address.getAddress();
        boolean special =
                address.isLoopbackAddress()
                        || address.isAnyLocalAddress()
                        || address.isLinkLocalAddress()
                        || address.isSiteLocalAddress()
                        || address.isMulticastAddress();
        if (raw.length == 4) {
            int first = raw[0] & 0xff;
            int second = raw[1] & 0xff;
            return !special
                    && first != 0
                    && first < 240
                    && !(first == 100 && second >= 64 && second < 128)
                    && !(first == 192 && second == 0)
                    && !(first == 198 && (second == 18 || second == 19));
        }
        boolean isGlobal = (raw[0] & 0xe0) == 0x20;
        boolean embedsIpv4 =
                (raw[0] == 0x20 && raw[1] == 0x02)
                        || (raw[0] == 0x20 && raw[1] == 0x01 && raw[2] == 0 && raw[3] == 0);
        return !special && isGlobal && !embedsIpv4;
    }
}
