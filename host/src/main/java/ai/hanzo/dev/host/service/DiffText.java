package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.v1.DiffResponse;
import ai.hanzo.dev.host.op.v1.FileChange;
import ai.hanzo.dev.host.tool.patch.UnifiedDiff;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.workspace.Checkpoints;
import ai.hanzo.dev.workspace.Diff;
import java.util.Optional;

/** Shows what differs between two checkpoints as a unified diff. Safe for all threads. */
final class DiffText {
    /** Beyond this the text is cut at the end of a file: 1 MiB of characters. */
    private static final int MAX_CHARS = 1 << 20;

    private final Checkpoints checkpoints;

    DiffText(Checkpoints checkpoints) {
        this.checkpoints = checkpoints;
    }

    DiffResponse of(Diff diff) {
        DiffResponse.Builder response = DiffResponse.newBuilder();
        StringBuilder text = new StringBuilder();
        for (Diff.Change change : diff.changes()) {
            if (isDirectory(change.before()) || isDirectory(change.after())) {
                continue;
            }
            String rendered =
                    UnifiedDiff.of(
                                    change.path().text(),
                                    side(change.before()),
                                    side(change.after()))
                            .toUtf8();
            response.addFiles(
                    FileChange.newBuilder()
                            .setPath(change.path().text())
                            .setChange(kind(change))
                            .setBinary(rendered.contains("\nBinary files "))
                            .setAddedLines(count(rendered, '+'))
                            .setRemovedLines(count(rendered, '-')));
            if (text.length() + rendered.length() > MAX_CHARS) {
                response.setTruncated(true);
            } else {
                text.append(rendered);
            }
        }
        return response.setDiff(text.toString()).build();
    }

    private static boolean isDirectory(Optional<Diff.Entry> side) {
        return side.filter(entry -> entry.type() == Diff.Type.DIRECTORY).isPresent();
    }

    /** Lines of the hunks that begin with {@code sign}: what is before the first hunk is header. */
    private static int count(String rendered, char sign) {
        int hunks = rendered.indexOf("\n@@ ");
        if (hunks < 0) {
            return 0;
        }
        return (int)
                rendered.substring(hunks + 1)
                        .lines()
                        .filter(line -> !line.isEmpty() && line.charAt(0) == sign)
                        .count();
    }

    private Optional<UnifiedDiff.Version> side(Optional<Diff.Entry> entry) {
        return entry.map(found ->
                new UnifiedDiff.Version(Bytes.wrap(checkpoints.content(found)), found.mode()));
    }

    private static FileChange.Change kind(Diff.Change change) {
        return switch (change.kind()) {
            case ADDED -> FileChange.Change.added;
            case REMOVED -> FileChange.Change.deleted;
            case MODIFIED, MODE, TYPE -> FileChange.Change.modified;
        };
    }
}
