package ai.hanzo.dev.protocol;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.ApprovalId;

/**
 * A request for approval was resolved: the payload of an {@code approval} entry.
 *
 * @param by who decided
 * @param note what they said; may be empty
 */
public record Resolution(
        ApprovalId approval, ActionId action, boolean approved, String by, String note) {}
