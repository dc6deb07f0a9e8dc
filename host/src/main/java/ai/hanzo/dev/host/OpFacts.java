package ai.hanzo.dev.host;

import ai.hanzo.dev.host.session.SessionParts;
import ai.hanzo.dev.host.tool.git.GitCommand;
import ai.hanzo.dev.host.tool.git.GitVerdict;
import ai.hanzo.dev.policy.Facts;
import ai.hanzo.dev.policy.GitUse;
import ai.hanzo.dev.protocol.Op;

/** Finds out what policy has to know of an operation. Pure; safe for all threads. */
final class OpFacts implements SessionParts.FactsFinder {

    @Override
    public Facts of(Op op, String workspace, boolean readOnly) {
        Facts plain = Facts.of(workspace);
        Facts facts = readOnly ? plain.readOnly() : plain;
        return switch (op) {
            case Op.Git git -> facts.withGit(use(git));
            case Op.Send _ -> facts.withoutHandler();
            case Op.ModelAsk _,
                    Op.Read _,
                    Op.Write _,
                    Op.Patch _,
                    Op.Exec _,
                    Op.Browse _,
                    Op.Ask _,
                    Op.Emit _,
                    Op.Save _,
                    Op.Done _,
                    Op.ListFiles _,
                    Op.Search _,
                    Op.Stat _ ->
                    facts;
        };
    }

    private static GitUse use(Op.Git git) {
        return switch (GitCommand.judge(git.argv(), git.cwd())) {
            case GitVerdict.Look _ -> new GitUse.Inert();
            case GitVerdict.Change _ -> new GitUse.Local();
            case GitVerdict.Outward(String why) -> new GitUse.Outward(why);
            case GitVerdict.Exec(String why) -> new GitUse.Unclear(why);
            case GitVerdict.Refused(String why) -> new GitUse.Unclear(why);
        };
    }
}
