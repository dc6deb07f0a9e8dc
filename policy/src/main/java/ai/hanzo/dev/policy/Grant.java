package ai.hanzo.dev.policy;

import ai.hanzo.dev.protocol.Op;

/**
 * An approval that holds for the rest of the session: the same operation is not asked about again.
 * It never lifts a block.
 *
 * @param id of the approval that gave it; shown as the rule {@code grant/ID}
 * @param like operations equal to this one are covered; the time limit of an exec is not compared
 */
public record Grant(String id, Op like) {

    boolean covers(Op op) {
        return plain(op).equals(plain(like));
    }

    private static Op plain(Op op) {
        return op instanceof Op.Exec e
                ? new Op.Exec(e.argv(), e.cwd(), e.stdin(), e.env(), 0, e.pty())
                : op;
    }
}
