package ai.hanzo.dev.policy;

import java.util.List;

/**
 * Decides about actions. A pure function: equal arguments give equal decisions, on every machine
 * and at any time. Any thread; never throws for an action of any content.
 */
public final class Policy {

    private Policy() {}

    /** The decision. What no rule covers, or what the host has no handler for, is blocked. */
    public static Decision decide(PolicyInput input) {
        return explain(input).decision();
    }

    /** The decision with its trace, for {@code hanzo dev policy explain}. */
    public static Explanation explain(PolicyInput input) {
        return new Explanation(
                new Decision(
                        Verdict.BLOCK,
                        "core/no-rule",
                        "No rule allows this.",
                        input.rules().digest()),
                List.of());
    }
}
