package ai.hanzo.dev.sandbox;

/**
 * The bounds of the conversation with a cell, from its hello.
 *
 * @param packetBytes the largest packet in either direction
 * @param readBytes the most that one read or output pull gives
 * @param stageBytes the most that can be staged for one action
 * @param requestsAtOnce requests in flight before further ones wait
 */
public record Limits(int packetBytes, int readBytes, long stageBytes, int requestsAtOnce) {}
