package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.dev.CellEnding;
import ai.hanzo.dev.zap.dev.CellExecOutcomeBuilder;
import ai.hanzo.dev.zap.dev.CellHelloResultBuilder;
import ai.hanzo.dev.zap.dev.CellLevel;
import ai.hanzo.dev.zap.dev.CellOp;
import ai.hanzo.dev.zap.dev.CellOutcomeBuilder;
import ai.hanzo.dev.zap.dev.CellReplyBuilder;
import ai.hanzo.dev.zap.dev.CellReplyKind;
import ai.hanzo.dev.zap.dev.CellRequestView;
import ai.hanzo.dev.zap.dev.CellStreamBuilder;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A daemon at the other end of a pair that says what a test wants it to say. One platform thread of
 * its own.
 */
final class FakeDaemon implements AutoCloseable {
    private final RawPeer peer;
    private final Thread thread;

    /**
     * Says hello, then answers each request with the packets that {@code behaviour} makes of it;
     * nothing makes it hang up.
     */
    FakeDaemon(
            int descriptor,
            long epoch,
            Function<CellRequestView, Optional<List<Bytes>>> behaviour) {
        this.peer = new RawPeer(descriptor);
        this.thread =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            peer.send(hello(epoch));
                            serve(behaviour);
                        });
    }

    private void serve(Function<CellRequestView, Optional<List<Bytes>>> behaviour) {
        Optional<byte[]> packet = peer.receive();
        while (packet.isPresent()) {
            Optional<List<Bytes>> answers = behaviour.apply(CellRequestView.open(packet.get()));
            if (answers.isEmpty()) {
                peer.shutdown();
                return;
            }
            for (Bytes answer : answers.get()) {
                if (peer.send(answer.toArray()) < 0) {
                    return;
                }
            }
            packet = peer.receive();
        }
    }

    static byte[] hello(long epoch) {
        return new CellReplyBuilder()
                .kind(CellReplyKind.RESULT)
                .op(CellOp.HELLO)
                .hello(
                        new CellHelloResultBuilder()
                                .protocol(1)
                                .level(CellLevel.LANDLOCK)
                                .landlockAbi(6)
                                .epoch(epoch)
                                .incarnation(new byte[16])
                                .windowRequests(64)
                                .frameBytes(131_072)
                                .chunkBytes(98_304)
                                .keptBytes(1 << 26)
                                .workspace("/w")
                                .home("/h")
                                .layers(List.of("seccomp")))
                .toMessage();
    }

    /** What an honest daemon says to an exec: exit 0, and this on stdout. */
    static CellReplyBuilder execOutcome(CellRequestView request, String stdout) {
        byte[] head = Bytes.utf8(stdout).toArray();
        return new CellReplyBuilder()
                .kind(CellReplyKind.OUTCOME)
                .op(CellOp.EXEC)
                .request(request.request())
                .action(request.action())
                .outcome(
                        new CellOutcomeBuilder()
                                .op(CellOp.EXEC)
                                .digest(request.digest())
                                .exec(
                                        new CellExecOutcomeBuilder()
                                                .ending(CellEnding.ENDED)
                                                .stdout(
                                                        new CellStreamBuilder()
                                                                .head(head)
                                                                .totalBytes(head.length)
                                                                .keptBytes(head.length))
                                                .stderr(new CellStreamBuilder())));
    }

    @Override
    public void close() {
        // Wakes the thread, if it waits for a packet, before the descriptor's number is free again.
        peer.shutdown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        peer.close();
    }
}
