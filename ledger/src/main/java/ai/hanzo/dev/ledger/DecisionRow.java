package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Sha256;
import java.util.List;

/**
 * What policy said of an action, as it is kept.
 *
 * @param rules the ids of the rules that spoke, in order
 * @param reason a sentence for people
 * @param ruleSet digest of the whole rule set
 */
public record DecisionRow(
        Verdict verdict, Mode mode, List<String> rules, String reason, Sha256 ruleSet) {

    public DecisionRow {
        rules = List.copyOf(rules);
    }

    /** Policy's five words. */
    public enum Verdict {
        ALLOW,
        OBSERVE,
        REQUIRE_EXPERT_APPROVAL,
        REQUIRE_CLIENT_APPROVAL,
        BLOCK
    }

    /** Whether the verdict binds. */
    public enum Mode {
        OBSERVE,
        ENFORCE
    }
}
