package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.v1.Delta;
import ai.hanzo.dev.host.op.v1.DiffResponse;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.Session;
import java.io.PrintStream;

/** The journal as JSON lines, exactly as recorded: docs/events.md. */
final class JsonView implements View {
    private final PrintStream out;

    JsonView(PrintStream out) {
        this.out = out;
    }

    @Override
    public void session(Session session) {}

    @Override
    public void entry(JournalEntry entry, String json) {
        out.println(json);
        out.flush();
    }

    @Override
    public void delta(Delta delta) {}

    @Override
    public void end(Session session, DiffResponse changed) {}
}
