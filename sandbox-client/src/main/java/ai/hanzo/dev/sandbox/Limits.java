package ai.hanzo.dev.sandbox;

/**
 * The bounds of the conversation with a cell, from its hello.
 *
 * @param packetBytes the largest packet in either direction
 * @param chunkBytes the most that one read, stage or output pull carries
 * @param keptBytes the most that is kept of one output stream, and of what is staged
 * @param requestsAtOnce requests in flight before further ones wait
 */
public record Limits(int packetBytes, int chunkBytes, long keptBytes, int requestsAtOnce) {}
