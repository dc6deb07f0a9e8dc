package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.v1.DiffRequest;
import ai.hanzo.dev.host.op.v1.DiffResponse;
import ai.hanzo.dev.host.op.v1.FileChange;
import ai.hanzo.dev.host.op.v1.ForkRequest;
import ai.hanzo.dev.host.op.v1.Session;
import ai.hanzo.dev.host.op.v1.UndoRequest;
import ai.hanzo.dev.host.op.v1.UndoResponse;
import ai.hanzo.dev.host.op.v1.VerifyRequest;
import ai.hanzo.dev.host.op.v1.VerifyResponse;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands on what a session did to its workspace, and on what is kept of it. */
final class WorkspaceCommands {
    private WorkspaceCommands() {}

    @Command(name = "diff", description = "Show what a session changed.")
    static final class Diff extends SessionCommands.OnSession {
        @Option(names = "--from", paramLabel = "SEQ", description = "Since this entry.")
        @Nullable Integer from;

        @Option(names = "--to", paramLabel = "SEQ", description = "Up to this entry.")
        @Nullable Integer to;

        @Override
        public Integer call() {
            DiffRequest.Builder request = DiffRequest.newBuilder().setId(id());
            if (from != null) {
                request.setFrom(from);
            }
            if (to != null) {
                request.setTo(to);
            }
            DiffResponse diff =
                    cli().client().call("diff", request.build(), DiffResponse.getDefaultInstance());
            if (json()) {
                out().println(OpJson.print(diff));
                return Exit.COMPLETE.code();
            }
            print(diff, cli().io().terminal());
            return Exit.COMPLETE.code();
        }

        /** To a terminal without its escapes; to a pipe byte for byte, for patch(1). */
        private void print(DiffResponse diff, boolean terminal) {
            out().print(terminal ? Style.safe(diff.getDiff()) : diff.getDiff());
            out().flush();
            for (FileChange file : diff.getFilesList()) {
                if (file.getBinary()) {
                    cli().io().err().println("binary: " + Style.safe(file.getPath()));
                }
            }
            if (diff.getTruncated()) {
                cli().io()
                        .err()
                        .println("hanzo: the diff is cut; the files are the ones of --json");
            }
        }
    }

    @Command(
            name = "verify",
            description = "Check a session's journal, snapshot and stored files; names the fault.")
    static final class Verify extends SessionCommands.OnSession {
        @Override
        public Integer call() {
            VerifyResponse found =
                    cli().client()
                            .call(
                                    "verify",
                                    VerifyRequest.newBuilder().setId(id()).build(),
                                    VerifyResponse.getDefaultInstance());
            if (json()) {
                out().println(OpJson.print(found));
            } else if (found.hasFault()) {
                VerifyResponse.Fault fault = found.getFault();
                out().println(
                                "entry "
                                        + fault.getSeq()
                                        + ", "
                                        + fault.getPart()
                                        + ": "
                                        + Style.safe(fault.getReason()));
            } else {
                out().println(
                                "sound: "
                                        + found.getEntries()
                                        + " entries, "
                                        + found.getBlobs()
                                        + " stored files, head "
                                        + found.getHead());
            }
            return found.getSound() ? Exit.COMPLETE.code() : Exit.FAILED.code();
        }
    }

    @Command(
            name = "fork",
            description = {
                "Begin a session where another one was, in a copy of its workspace; the other is",
                "not touched."
            })
    static final class Fork extends SessionCommands.OnSession {
        @Parameters(
                paramLabel = "DIR",
                description = "For the copy; there is nothing, or an empty directory.")
        @Nullable String directory;

        @Option(
                names = "--to",
                paramLabel = "SEQ",
                description = "As it was at this entry, or where it last rested before.")
        @Nullable Integer to;

        @Override
        public Integer call() {
            Path copy = cli().io().directory().resolve(Given.value(directory)).normalize();
            ForkRequest.Builder request =
                    ForkRequest.newBuilder()
                            .setId(id())
                            .setPath(copy.toString())
                            .setIdempotencyKey(Conversation.newKey());
            if (to != null) {
                request.setTo(to);
            }
            Session made =
                    cli().client().call("fork", request.build(), Session.getDefaultInstance());
            out().println(json() ? OpJson.print(made) : made.getId());
            return Exit.COMPLETE.code();
        }
    }

    @Command(
            name = "undo",
            description = {
                "Put the workspace back to before the newest turn, or to an entry; what others",
                "changed since is left, and then nothing is touched."
            })
    static final class Undo extends SessionCommands.OnSession {
        @Option(names = "--to", paramLabel = "SEQ", description = "As it was after this entry.")
        @Nullable Integer to;

        @Override
        public Integer call() {
            UndoRequest.Builder request =
                    UndoRequest.newBuilder().setId(id()).setIdempotencyKey(Conversation.newKey());
            if (to != null) {
                request.setTo(to);
            }
            UndoResponse undone =
                    cli().client().call("undo", request.build(), UndoResponse.getDefaultInstance());
            if (json()) {
                out().println(OpJson.print(undone));
            } else {
                undone.getRestoredList().forEach(path -> print("restored", path));
                undone.getDeletedList().forEach(path -> print("deleted", path));
                undone.getNotCoveredList().forEach(path -> print("not covered", path));
                undone.getConflictsList().forEach(path -> print("conflict", path));
            }
            if (undone.getConflictsCount() > 0) {
                cli().io()
                        .err()
                        .println(
                                "hanzo: nothing was touched, because others changed these files"
                                        + " since; put them back yourself, or keep them");
                return Exit.FAILED.code();
            }
            if (!json() && undone.getRestoredCount() + undone.getDeletedCount() == 0) {
                out().println("nothing to undo");
            }
            return Exit.COMPLETE.code();
        }

        private void print(String what, String path) {
            out().println(what + "  " + Style.safe(path));
        }
    }
}
