package ai.hanzo.dev.policy;

import ai.hanzo.dev.protocol.Op;

/**
 * An approval that holds for the rest of the session: the same operation is not asked about again.
 * It never lifts a block.
 *
 * @param id of the approval that gave it; shown as the rule {@code grant/ID}
 * @param like operations equal to this one are covered; of an exec only argv, cwd, env and stdin
 *     are compared, not its time limit
 */
public record Grant(String id, Op like) {}
