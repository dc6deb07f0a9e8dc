package ai.hanzo.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.sandbox.netty.PacketLoop;
import ai.hanzo.dev.sandbox.netty.PacketPort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A port with a peer, whose packets are collected. */
abstract class PortTest {
    final PacketLoop loop = PacketLoop.start(1);
    final Collected collected = new Collected();
    RawPeer peer;
    PacketPort port;

    @BeforeEach
    void connect() {
        int[] pair = pair();
        peer = new RawPeer(pair[1]);
        port = loop.attach(new DescriptorSocket(pair[0]), collected);
    }

    /** The first end is fit for the loop. */
    static int[] pair() {
        int[] pair = Libc.packetPair();
        assertThat(Descriptors.prepare(pair[0])).isEmpty();
        return pair;
    }

    @AfterEach
    void disconnect() {
        port.close();
        peer.close();
        loop.close();
    }
}
