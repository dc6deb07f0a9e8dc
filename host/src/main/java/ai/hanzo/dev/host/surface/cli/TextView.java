package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.v1.Decision;
import ai.hanzo.dev.host.op.v1.Delta;
import ai.hanzo.dev.host.op.v1.DiffResponse;
import ai.hanzo.dev.host.op.v1.DoneDetail;
import ai.hanzo.dev.host.op.v1.EmitDetail;
import ai.hanzo.dev.host.op.v1.FileChange;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.ResultDetail;
import ai.hanzo.dev.host.op.v1.Session;
import java.io.PrintStream;
import java.util.List;

/**
 * A session for a person: text as it comes, each command with its result, and at the end what
 * changed, what it cost and how to undo it.
 */
final class TextView implements View {
    private static final int OUTPUT_LINES = 12;
    private static final int LINE = 160;

    private final PrintStream out;
    private final Style style;
    private final StringBuilder streamed = new StringBuilder();
    private int speaking;
    private int heard;

    TextView(PrintStream out, Style style) {
        this.out = out;
        this.style = style;
    }

    @Override
    public void session(Session session) {
        out.println(style.dim(session.getId() + "  " + JournalView.where(session)));
    }

    @Override
    public void delta(Delta delta) {
        if (delta.getChannel() != Delta.Channel.say) {
            return;
        }
        if (delta.getAction() != speaking) {
            speaking = delta.getAction();
            heard = 0;
        }
        // After a reconnection it comes once more from its beginning.
        int known = Math.clamp((long) heard - delta.getOffset(), 0, delta.getText().length());
        heard = Math.max(heard, delta.getOffset() + delta.getText().length());
        String text = Style.safe(delta.getText().substring(known));
        streamed.append(text);
        out.print(text);
        out.flush();
    }

    @Override
    public void entry(JournalEntry entry, String json) {
        switch (entry.getDetailCase()) {
            case EMIT -> emit(entry.getEmit());
            case EXEC -> action(entry, "$ " + words(entry.getExec().getArgvList()));
            case GIT -> action(entry, "$ git " + words(entry.getGit().getArgvList()));
            case READ -> action(entry, "read " + entry.getRead().getPath());
            case WRITE -> action(entry, "write " + entry.getWrite().getPath());
            case LIST -> action(entry, "list " + entry.getList().getPath());
            case STAT -> action(entry, "stat " + entry.getStat().getPath());
            case PATCH, BROWSE, SEND, SEARCH -> action(entry, entry.getSummary());
            case RESULT -> result(entry, entry.getResult());
            case FAILURE -> line(style.red("model: " + safe(entry.getFailure().getMessage())));
            case DONE -> done(entry.getDone());
            case NOTE -> note(entry);
            case APPROVAL -> line(style.dim(safe(entry.getSummary())));
            case CONFIG, TURN_INPUT, MODEL_REPLY, ASK_MODEL, ASK, ANSWER, DETAIL_NOT_SET -> {
                // Nothing that a person has not typed, seen or is asked.
            }
        }
    }

    /** What only tells that all is as it should be is left to the journal. */
    private void note(JournalEntry entry) {
        String text = entry.getNote().getText();
        boolean isUsual =
                switch (entry.getNote().getTopic()) {
                    case "session" -> true;
                    case "checkpoint" -> text.endsWith("files recorded");
                    default -> false;
                };
        if (!isUsual) {
            line(style.dim(safe(entry.getSummary())));
        }
    }

    private void emit(EmitDetail emit) {
        switch (emit.getKind()) {
            case say -> say(Style.safe(emit.getText()));
            case plan -> {
                endLine();
                for (EmitDetail.PlanItem item : emit.getItemsList()) {
                    String mark =
                            switch (item.getStatus()) {
                                case "done" -> "[x] ";
                                case "active" -> "[>] ";
                                default -> "[ ] ";
                            };
                    out.println("  " + mark + safe(item.getText()));
                }
            }
            case progress -> line(style.dim(safe(emit.getText())));
            case think, kind_unspecified, UNRECOGNIZED -> {
                // Not for the screen; it is in the journal.
            }
        }
    }

    /** What was streamed already is not said twice. */
    private void say(String text) {
        if (!streamed.toString().strip().endsWith(text.strip())) {
            endLine();
            out.print(text);
            streamed.append(text);
        }
        endLine();
        streamed.setLength(0);
    }

    private void endLine() {
        if (!streamed.isEmpty() && streamed.charAt(streamed.length() - 1) != '\n') {
            out.println();
        }
        if (!streamed.isEmpty()) {
            streamed.setLength(0);
            streamed.append('\n');
        }
        out.flush();
    }

    private void line(String text) {
        endLine();
        out.println(text);
        out.flush();
    }

    private void action(JournalEntry entry, String text) {
        line(style.bold(Style.line(text, LINE)));
        Decision decision = entry.getDecision();
        if (decision.getVerdict() == Decision.Verdict.block) {
            line(
                    style.red(
                            "  blocked by "
                                    + decision.getRule()
                                    + ": "
                                    + safe(decision.getReason())));
        }
    }

    private static String words(List<String> argv) {
        return String.join(
                " ",
                argv.stream()
                        .map(word ->
                                word.matches("[\\w@%+=:,./-]+")
                                        ? word
                                        : "'" + word.replace("'", "'\\''") + "'")
                        .toList());
    }

    private void result(JournalEntry entry, ResultDetail result) {
        if (entry.getOp().equals("exec") || entry.getOp().equals("git")) {
            output(result.getStdout());
            output(result.getStderr());
        }
        switch (result.getStatus()) {
            case ok -> {
                if (result.getExit() != 0) {
                    line(style.red("  exit " + result.getExit()));
                }
            }
            case failed, in_doubt ->
                    line(
                            style.red(
                                    "  "
                                            + safe(
                                                    result.hasMessage()
                                                            ? result.getMessage()
                                                            : entry.getSummary())));
            case denied, cancelled ->
                    line(
                            style.dim(
                                    "  "
                                            + result.getStatus()
                                            + (result.hasMessage()
                                                    ? ": " + safe(result.getMessage())
                                                    : "")));
            case status_unspecified, UNRECOGNIZED -> line("  " + safe(entry.getSummary()));
        }
    }

    private void output(String text) {
        if (text.isEmpty()) {
            return;
        }
        List<String> lines = Style.safe(text).lines().toList();
        int skipped = Math.max(0, lines.size() - OUTPUT_LINES);
        if (skipped > 0) {
            line(style.dim("  … " + skipped + " more lines"));
        }
        for (String line : lines.subList(skipped, lines.size())) {
            line(style.dim("  " + (line.length() > LINE ? line.substring(0, LINE) + "…" : line)));
        }
    }

    private void done(DoneDetail done) {
        switch (done.getOutcome()) {
            case complete -> endLine();
            case cancelled -> line("cancelled");
            case failed ->
                    line(
                            style.red(
                                    "failed: "
                                            + safe(done.getMessage())
                                            + " ["
                                            + done.getCode()
                                            + "]"));
            case outcome_unspecified, UNRECOGNIZED -> line(done.getOutcome().toString());
        }
    }

    @Override
    public void end(Session session, DiffResponse changed) {
        endLine();
        out.println();
        out.println(
                style.dim(
                        session.getUsage().getInputTokens()
                                + " tokens in, "
                                + session.getUsage().getOutputTokens()
                                + " out, "
                                + session.getUsage().getModelCalls()
                                + " model calls"));
        if (changed.getFilesCount() == 0) {
            out.println(style.dim("no files changed"));
        } else {
            for (FileChange file : changed.getFilesList()) {
                out.println(changed(file));
            }
            out.println(style.dim("undo with: hanzo dev undo " + session.getId()));
        }
        out.flush();
    }

    private String changed(FileChange file) {
        String mark =
                switch (file.getChange()) {
                    case added -> style.green("A");
                    case deleted -> style.red("D");
                    case modified, change_unspecified, UNRECOGNIZED -> "M";
                };
        return mark
                + " "
                + safe(file.getPath())
                + (file.getBinary()
                        ? "  (binary)"
                        : style.dim("  +" + file.getAddedLines() + " -" + file.getRemovedLines()));
    }

    private static String safe(String text) {
        return Style.safe(text);
    }
}
