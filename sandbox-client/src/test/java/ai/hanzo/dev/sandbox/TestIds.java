package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.Uuid7;
import java.security.SecureRandom;
import java.time.InstantSource;

/** Ids for tests. */
final class TestIds {
    private TestIds() {}

    static SessionId session() {
        return SessionId.next(new Uuid7(InstantSource.system(), new SecureRandom()));
    }
}
