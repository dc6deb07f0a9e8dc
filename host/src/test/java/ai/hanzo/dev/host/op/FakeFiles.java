package ai.hanzo.dev.host.op;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.host.op.v1.ImportRequest;
import ai.hanzo.dev.host.op.v1.Session;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Session files by hand: the id of the session, and nothing else. Any thread. */
public final class FakeFiles implements SessionFiles {
    @Override
    public Outgoing export(Caller caller, String session) {
        byte[] content = session.getBytes(UTF_8);
        return new Outgoing() {
            @Override
            public long bytes() {
                return content.length;
            }

            @Override
            public InputStream content() {
                return new ByteArrayInputStream(content);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Session take(Caller caller, ImportRequest request, InputStream file) {
        try {
            return Session.newBuilder().setId(new String(file.readAllBytes(), UTF_8)).build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
