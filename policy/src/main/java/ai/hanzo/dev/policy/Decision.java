package ai.hanzo.dev.policy;

/**
 * What policy says of one action; a row of the ledger before anything is sent.
 *
 * @param rule the rule that decided, such as {@code workspace/exec}
 * @param reason one sentence for the user and the model
 * @param rulesDigest SHA-256 of the rules, 64 hexadecimal digits
 */
public record Decision(Verdict verdict, String rule, String reason, String rulesDigest) {}
