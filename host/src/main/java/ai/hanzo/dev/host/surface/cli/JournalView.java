package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.v1.Decision;
import ai.hanzo.dev.host.op.v1.Delta;
import ai.hanzo.dev.host.op.v1.DiffResponse;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.Session;
import java.io.PrintStream;

/** The journal, a line an entry, each with its sequence: for {@code log} and the demo. */
final class JournalView implements View {
    private static final int SUMMARY = 100;

    private final PrintStream out;
    private final Style style;

    JournalView(PrintStream out, Style style) {
        this.out = out;
        this.style = style;
    }

    @Override
    public void session(Session session) {
        out.println("session " + style.bold(session.getId()) + "  " + where(session));
    }

    static String where(Session session) {
        var workspace = session.getWorkspace();
        String place =
                workspace.hasPath()
                        ? workspace.getPath()
                        : workspace.hasSnapshot()
                                ? workspace.getSnapshot()
                                : workspace.getGit().getUrl();
        return Style.safe(place)
                + (session.getModel().isEmpty() ? "" : "  model " + session.getModel())
                + (session.getPolicy().getName().isEmpty()
                        ? ""
                        : "  policy " + session.getPolicy().getName());
    }

    @Override
    public void entry(JournalEntry entry, String json) {
        String name =
                entry.hasAction()
                        ? entry.getKind().name() + " " + entry.getOp() + " #" + entry.getAction()
                        : entry.hasOp()
                                ? entry.getKind().name() + " " + entry.getOp()
                                : entry.getKind().name();
        out.println(
                style.dim(String.format("%5d", entry.getSeq()))
                        + "  "
                        + String.format("%-20s", name)
                        + "  "
                        + Style.line(entry.getSummary(), SUMMARY)
                        + decision(entry.getDecision()));
        out.flush();
    }

    private String decision(Decision decision) {
        return switch (decision.getVerdict()) {
            case verdict_unspecified, UNRECOGNIZED -> "";
            case allow, observe ->
                    style.dim("  [" + decision.getVerdict() + ": " + decision.getRule() + "]");
            case require_expert_approval, require_client_approval ->
                    style.bold("  [needs approval " + decision.getApproval() + "]");
            case block -> style.red("  [blocked: " + decision.getRule() + "]");
        };
    }

    @Override
    public void delta(Delta delta) {}

    @Override
    public void end(Session session, DiffResponse changed) {}
}
