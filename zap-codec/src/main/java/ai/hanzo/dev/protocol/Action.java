package ai.hanzo.dev.protocol;

import ai.hanzo.dev.protocol.id.ActionId;

/** What the core asks of its host, under an id that it uses once in the life of its session. */
public record Action(ActionId id, Op op) {}
