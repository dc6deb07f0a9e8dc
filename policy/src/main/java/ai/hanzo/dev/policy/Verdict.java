package ai.hanzo.dev.policy;

/** What is done with an action, from the mildest to the strictest. */
public enum Verdict {
    /** It is carried out. */
    ALLOW,
    /** It is carried out and marked in the audit. */
    OBSERVE,
    /** It waits until someone with the role expert says yes. */
    REQUIRE_EXPERT_APPROVAL,
    /** It waits until someone with the role client says yes. */
    REQUIRE_CLIENT_APPROVAL,
    /** It is never carried out. */
    BLOCK;

    /** Whether the action goes out without anybody being asked. */
    public boolean isDispatched() {
        return this == ALLOW || this == OBSERVE;
    }

    /** Whether somebody must approve first. */
    public boolean isApproval() {
        return this == REQUIRE_EXPERT_APPROVAL || this == REQUIRE_CLIENT_APPROVAL;
    }

    /** The stricter of the two. */
    public Verdict or(Verdict other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /** As rules files, the ledger and the API write it: {@code require_client_approval}. */
    public String text() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
