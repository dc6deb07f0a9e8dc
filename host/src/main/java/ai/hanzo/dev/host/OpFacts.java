package ai.hanzo.dev.host;

import ai.hanzo.dev.host.session.SessionParts;
import ai.hanzo.dev.host.tool.git.GitCommand;
import ai.hanzo.dev.host.tool.git.GitVerdict;
import ai.hanzo.dev.host.tool.patch.Patch;
import ai.hanzo.dev.policy.Facts;
import ai.hanzo.dev.policy.GitUse;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import java.util.List;
import java.util.function.Function;

/** Finds out what policy has to know of an operation. Safe for all threads. */
final class OpFacts implements SessionParts.FactsFinder {
    private final Function<Content, Bytes> load;

    /**
     * @param load the bytes of an argument that was too long for a message
     */
    OpFacts(Function<Content, Bytes> load) {
        this.load = load;
    }

    @Override
    public Facts of(Op op, String workspace, boolean readOnly) {
        Facts plain = Facts.of(workspace);
        Facts facts = readOnly ? plain.readOnly() : plain;
        return switch (op) {
            case Op.Git git -> facts.withGit(use(git));
            case Op.Send _ -> facts.withoutHandler();
            case Op.Patch patch -> facts.withPatchPaths(paths(patch));
            case Op.ModelAsk _,
                    Op.Read _,
                    Op.Write _,
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

    /** What cannot be read changes nothing and is refused later, by the same reader. */
    private List<String> paths(Op.Patch op) {
        return switch (Patch.parse(load.apply(op.patch()))) {
            case Patch.Read(Patch patch) -> patch.paths();
            case Patch.Refused _ -> List.of(".");
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
