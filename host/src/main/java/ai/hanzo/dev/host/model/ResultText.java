package ai.hanzo.dev.host.model;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Event.Family;
import ai.hanzo.dev.protocol.Outcome;

/**
 * What a model sees of a result. Pure: the same result gives the same text for ever, for it is part
 * of what a replayed session is shown.
 *
 * <pre>
 * exit 1                          a command: how it ended; other results: only when not ok
 * first lines
 * [1048576 bytes left out]        where the cell cut: in the middle of what it kept
 * FAILED test_x
 * --- stderr
 * ...
 * </pre>
 *
 * <p>A command's output that was cut is kept as head and tail of equal size (cell: 24 KiB each);
 * what a read, a listing or a page lacks is at its end.
 */
public final class ResultText {
    private ResultText() {}

    /** The text of {@code result}; never empty. */
    public static String of(Event.Result result) {
        Outcome outcome = result.outcome();
        StringBuilder text = new StringBuilder();
        headline(outcome, text);
        boolean fromTheMiddle =
                switch (result.family()) {
                    case EXEC, GIT -> true;
                    case FILE, BROWSE -> false;
                };
        stream(outcome.stdout(), outcome.stdoutBytes(), fromTheMiddle, text);
        if (outcome.stderrBytes() > 0 || !outcome.stderr().isEmpty()) {
            line(text).append("--- stderr\n");
            stream(outcome.stderr(), outcome.stderrBytes(), fromTheMiddle, text);
        }
        if (text.toString().isBlank()) {
            return result.family() == Family.FILE ? "ok, nothing to show" : "ok";
        }
        return text.toString();
    }

    private static void headline(Outcome outcome, StringBuilder text) {
        switch (outcome.status()) {
            case OK -> {}
            case FAILED -> text.append("failed");
            case DENIED -> text.append("denied");
            case IN_DOUBT -> text.append("in doubt: it may or may not have happened");
            case CANCELLED -> text.append("cancelled");
        }
        if (!outcome.message().isEmpty()) {
            text.append(text.isEmpty() ? "" : ": ").append(outcome.message());
        }
        outcome.exit().ifPresent(exit -> line(text).append("exit ").append(exit));
        line(text);
    }

    private static void stream(
            Bytes kept, long allBytes, boolean fromTheMiddle, StringBuilder text) {
        line(text);
        long leftOut = Math.max(0, allBytes - kept.length());
        int head = leftOut > 0 && fromTheMiddle ? kept.length() / 2 : kept.length();
        Printable.append(kept.slice(0, head), text);
        if (leftOut > 0) {
            line(text).append('[').append(leftOut).append(" bytes left out]\n");
            Printable.append(kept.slice(head, kept.length()), text);
        }
    }

    /** Ends the line that was begun, if one was. */
    private static StringBuilder line(StringBuilder text) {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
            text.append('\n');
        }
        return text;
    }
}
