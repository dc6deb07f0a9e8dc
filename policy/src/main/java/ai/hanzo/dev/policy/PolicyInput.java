package ai.hanzo.dev.policy;

import ai.hanzo.dev.protocol.Action;

/** All that a decision depends on. The action's id has no part in it. */
public record PolicyInput(Rules rules, Action action, Facts facts) {}
