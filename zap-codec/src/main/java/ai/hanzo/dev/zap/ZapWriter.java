package ai.hanzo.dev.zap;

/** Builds messages. */
public final class ZapWriter {}
