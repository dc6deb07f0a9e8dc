package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.workspace.Admission;
import ai.hanzo.dev.workspace.Checkpoints;
import ai.hanzo.dev.workspace.SnapshotId;
import ai.hanzo.dev.workspace.UndoResult;
import ai.hanzo.dev.workspace.Workspace;
import ai.hanzo.dev.workspace.Workspaces;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;

/** Workspaces out of snapshots, each in a new directory. Safe for all threads. */
public final class Copies {
    private final Checkpoints checkpoints;
    private final Workspaces workspaces;

    public Copies(Checkpoints checkpoints, Workspaces workspaces) {
        this.checkpoints = checkpoints;
        this.workspaces = workspaces;
    }

    /** Only who is at this machine may say where on it a copy goes. */
    static void checkOwner(Caller caller) {
        if (!caller.local()) {
            throw OpException.of(
                    OpCode.LOCAL_ONLY, "A workspace path is for the owner of this machine.");
        }
    }

    /** The path that a request names; it has to be absolute. */
    static Path path(String text) {
        try {
            Path path = Path.of(text);
            if (!path.isAbsolute()) {
                throw OpException.invalid("path", "'" + text + "' is not absolute");
            }
            return path.normalize();
        } catch (InvalidPathException e) {
            throw OpException.invalid("path", String.valueOf(e.getMessage()));
        }
    }

    /** What {@code source} names, in a directory that is new or empty. */
    Workspace fill(Path path, SnapshotId source) {
        Workspace fresh = empty(path);
        SnapshotId empty = checkpoints.begin(fresh).id();
        return switch (checkpoints.undo(checkpoints.planUndo(fresh, source, empty))) {
            case UndoResult.Done _ -> fresh;
            case UndoResult.Refused refused ->
                    throw OpException.of(
                            OpCode.CONFLICT,
                            refused.conflicts().isEmpty()
                                    ? path + " changed while it was filled."
                                    : refused.conflicts().getFirst().sentence());
        };
    }

    /** A directory that is new or empty. */
    Workspace empty(Path path) {
        makeEmpty(path);
        return admitted(path);
    }

    private static void makeEmpty(Path path) {
        try {
            Files.createDirectory(path);
        } catch (FileAlreadyExistsException e) {
            requireEmpty(path);
        } catch (IOException e) {
            throw OpException.of(
                    OpCode.WORKSPACE_REFUSED,
                    path + " cannot be made: " + e.getMessage() + ".",
                    "Name a directory whose parent is there.");
        }
    }

    private static void requireEmpty(Path path) {
        try (Stream<Path> inside = Files.list(path)) {
            if (inside.findAny().isEmpty()) {
                return;
            }
        } catch (IOException e) {
            // Told below: it is a file, or cannot be read.
        }
        throw OpException.of(
                OpCode.WORKSPACE_REFUSED,
                path + " is there already and is no empty directory.",
                "Name another one.");
    }

    /** A directory that sessions may work in. */
    Workspace admitted(Path path) {
        return switch (workspaces.admit(path, Set.of())) {
            case Admission.Admitted(Workspace workspace) -> workspace;
            case Admission.Refused(var _, String sentence) ->
                    throw OpException.of(OpCode.WORKSPACE_REFUSED, sentence);
        };
    }
}
