package ai.hanzo.dev.host.core;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.wire.ActionWire;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.SplittableRandom;

/**
 * Plays sessions at random and digests every batch of actions and every snapshot: run in processes
 * that differ in all but the sessions, it prints the same line.
 */
final class Recital {
    private static final int SESSIONS = 30;
    private static final int STEPS = 100;

    /** Small enough that limits are met and conversations are shortened. */
    static final Config.Limits TIGHT = new Config.Limits(3, 25, 2, 6, 0, 1_500, 0, 60_000, 3, 3);

    private Recital() {}

    /** Prints the digest of {@code wasm}, or of the library that is named. */
    public static void main(String... names) throws Exception {
        try (Cores cores = cores(names[0])) {
            System.out.println("recital " + digest(cores));
        }
    }

    private static Cores cores(String name) {
        return name.equals("wasm")
                ? new WasmCores(CoreLimits.DEFAULTS)
                : new NativeCores(Path.of(name));
    }

    static String digest(Cores cores) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (long seed = 1; seed <= SESSIONS; seed++) {
            var host = new RandomHost(new SplittableRandom(seed));
            try (Driver driver = Driver.open(cores, TIGHT)) {
                for (int i = 0; i < STEPS; i++) {
                    Bytes batch = driver.feedBytes(host.next());
                    digest.update(batch.toArray());
                    digest.update(driver.snapshot().toArray());
                    host.see(ActionWire.decodeBatch(batch));
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
