package ai.hanzo.dev.workspace;

import java.io.IOException;
import java.nio.file.Path;

/** The disk or the tree failed us. The message is one sentence for the user with the next step. */
public final class WorkspaceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What failed. */
    public enum Code {
        /** No space or no inodes left where the store or the workspace is. */
        STORAGE_FULL,
        /** A blob's bytes do not have its digest. */
        BLOB_CORRUPT,
        /** A blob that a snapshot names is not in the store. */
        BLOB_MISSING,
        /** A blob was stored under another key. */
        BLOB_SEALED,
        /** The directory is gone or is another one than was admitted. */
        WORKSPACE_MOVED,
        /** The host may not read or write something it must. */
        PERMISSION,
        /** A snapshot of a newer format, or one that breaks the format. */
        SNAPSHOT_UNREADABLE,
        /** Interrupted while waiting. */
        INTERRUPTED,
        /** Any other error of the operating system. */
        IO
    }

    private final Code code;

    private WorkspaceException(Code code, String message) {
        super(message);
        this.code = code;
    }

    /** What failed. */
    public Code code() {
        return code;
    }

    static WorkspaceException storageFull(String where) {
        return new WorkspaceException(
                Code.STORAGE_FULL,
                "No space is left for " + where + ": free some and try again; nothing was lost.");
    }

    static WorkspaceException blobCorrupt(Digest digest) {
        return new WorkspaceException(
                Code.BLOB_CORRUPT,
                "The stored file "
                        + digest
                        + " is damaged: restore it from a backup; what it holds cannot be put back.");
    }

    static WorkspaceException blobMissing(Digest digest) {
        return new WorkspaceException(
                Code.BLOB_MISSING,
                "The stored file "
                        + digest
                        + " is missing: restore it from a backup; what it held cannot be put back.");
    }

    static WorkspaceException blobSealed(Digest digest) {
        return new WorkspaceException(
                Code.BLOB_SEALED,
                "The stored file "
                        + digest
                        + " was sealed under another key of the organisation: put the former"
                        + " keys/org.key back, or restore it from a backup, and restart the host.");
    }

    static WorkspaceException moved(Path path) {
        return new WorkspaceException(
                Code.WORKSPACE_MOVED,
                "The workspace "
                        + path
                        + " is gone or was replaced by another directory: start a new session in it.");
    }

    static WorkspaceException permission(String what) {
        return new WorkspaceException(
                Code.PERMISSION, "No permission for " + what + ": change its owner or mode.");
    }

    static WorkspaceException unreadable(String what) {
        return new WorkspaceException(Code.SNAPSHOT_UNREADABLE, what);
    }

    static WorkspaceException interrupted() {
        return new WorkspaceException(Code.INTERRUPTED, "Interrupted while reading the workspace.");
    }

    /** For a system call that failed with {@code errno}. */
    static WorkspaceException of(String what, int errno) {
        return switch (errno) {
            case Sys.ENOSPC, Sys.EDQUOT -> storageFull(what);
            case Sys.EACCES, Sys.EPERM -> permission(what);
            default ->
                    new WorkspaceException(
                            Code.IO,
                            "The system refused " + what + " (errno " + errno + "): try again.");
        };
    }

    static WorkspaceException io(String what, IOException cause) {
        WorkspaceException e =
                new WorkspaceException(
                        Code.IO, "The system refused " + what + ": " + cause.getMessage() + ".");
        e.initCause(cause);
        return e;
    }
}
