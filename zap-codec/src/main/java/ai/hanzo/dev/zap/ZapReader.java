package ai.hanzo.dev.zap;

/** Opens messages. */
public final class ZapReader {
    private ZapReader() {}
}
