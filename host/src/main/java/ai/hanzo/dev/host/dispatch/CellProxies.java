package ai.hanzo.dev.host.dispatch;

import ai.hanzo.dev.policy.Destination;
import ai.hanzo.dev.sandbox.CellNetwork;
import java.net.InetAddress;
import java.util.List;

/**
 * Makes the ways out of cells: HTTP proxies that reach public addresses only, each for one cell and
 * by the rules of its session. Threads: any.
 */
public final class CellProxies {
    private final CheckedNames names;

    /** Proxies to public addresses only. */
    public static CellProxies toPublicAddresses() {
        return new CellProxies(new CheckedNames(InetAddress::getAllByName, CheckedNames::isPublic));
    }

    /** Proxies to the addresses that {@code names} gives. */
    CellProxies(CheckedNames names) {
        this.names = names;
    }

    /** Serves what comes out of one cell, until the network ends or the proxy is closed. */
    public CellProxy serve(CellNetwork network, List<Destination> allowed) {
        CellProxy proxy = new CellProxy(network, new CellRoutes(names, allowed));
        proxy.start();
        return proxy;
    }
}
