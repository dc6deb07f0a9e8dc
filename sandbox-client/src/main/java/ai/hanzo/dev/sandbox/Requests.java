package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.zap.dev.CellApplyBuilder;
import ai.hanzo.dev.zap.dev.CellChangeBuilder;
import ai.hanzo.dev.zap.dev.CellChangeKind;
import ai.hanzo.dev.zap.dev.CellExecBuilder;
import ai.hanzo.dev.zap.dev.CellMkdirBuilder;
import ai.hanzo.dev.zap.dev.CellOp;
import ai.hanzo.dev.zap.dev.CellRemoveBuilder;
import ai.hanzo.dev.zap.dev.CellRenameBuilder;
import ai.hanzo.dev.zap.dev.CellRequestBuilder;
import ai.hanzo.dev.zap.dev.CellSearchBuilder;
import ai.hanzo.dev.zap.dev.CellSpawnBuilder;
import ai.hanzo.dev.zap.dev.CellStageBuilder;
import ai.hanzo.dev.zap.dev.CellStagedBuilder;
import ai.hanzo.dev.zap.dev.CellWriteBuilder;
import ai.hanzo.dev.zap.dev.EnvVarBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Effects as messages. What is large is left out of the message and listed as to be staged first:
 * the same values are always divided in the same way. Used by one thread for one request.
 */
final class Requests {

    /** CellWrite.has, CellChange.has and CellMkdir.has. */
    private static final long HAS_MODE = 1;

    /** CellWrite.has and CellChange.has. */
    private static final long HAS_EXPECTED = 2;

    /** CellRemove.has and CellRename.has. */
    private static final long HAS_EXPECTED_ALONE = 1;

    /** Of a spawn: none at all would mean that nobody follows it, and that it need not wait. */
    static final int FIRST_CREDIT_BYTES = 1;

    private final Path workspace;
    private final List<Staging> toStage = new ArrayList<>();
    private int inlineBytesLeft;

    /**
     * For one request.
     *
     * @param workspace as the cell sees it: taken off absolute paths
     * @param inlineBytes of content that the message may carry
     */
    Requests(Path workspace, int inlineBytes) {
        this.workspace = workspace;
        this.inlineBytesLeft = inlineBytes;
    }

    /**
     * Content that goes ahead of its request.
     *
     * @param digest of all of it, found once
     */
    record Staging(Bytes content, Sha256 digest) {
        CellStagedBuilder name() {
            return new CellStagedBuilder()
                    .digest(digest.bytes().toArray())
                    .sizeBytes(content.length());
        }
    }

    /** What must be staged before the request is sent. */
    List<Staging> toStage() {
        return toStage;
    }

    CellPacket exec(ActionId id, ExecRequest request) {
        CellExecBuilder exec = command(request, request.effectiveTimeout());
        return CellPacket.effect(CellOp.EXEC, id, new CellRequestBuilder().exec(exec));
    }

    CellPacket spawn(ActionId id, SpawnRequest request) {
        CellSpawnBuilder spawn =
                new CellSpawnBuilder()
                        .exec(command(request.command(), request.command().timeout()))
                        .creditBytes(FIRST_CREDIT_BYTES);
        switch (request.streams()) {
            case SpawnRequest.Streams.Pipes _ -> {}
            case SpawnRequest.Streams.Terminal(int columns, int rows) ->
                    spawn.pty(true).cols(columns).rows(rows);
        }
        return CellPacket.effect(CellOp.SPAWN, id, new CellRequestBuilder().spawn(spawn));
    }

    private CellExecBuilder command(ExecRequest request, Duration timeout) {
        CellExecBuilder exec =
                new CellExecBuilder()
                        .argv(request.argv())
                        .cwd(relative(request.directory()))
                        .env(variables(request.env()))
                        .timeoutMillis(timeout.toMillis())
                        .keepRunning(
                                switch (request.leftovers()) {
                                    case KILL -> false;
                                    case KEEP -> true;
                                });
        switch (request.stdin()) {
            case ExecRequest.Stdin.None _ -> {}
            case ExecRequest.Stdin.Content(Bytes bytes) -> {
                if (isInline(bytes)) {
                    exec.stdin(bytes.toArray());
                } else {
                    exec.staged(staged(bytes));
                }
            }
        }
        return exec;
    }

    CellPacket write(ActionId id, WriteRequest request) {
        CellWriteBuilder write =
                new CellWriteBuilder()
                        .path(relative(request.path()))
                        .mode(request.mode().orElse(0))
                        .expected(expected(request.expected()))
                        .has(has(request.mode(), request.expected()))
                        .parents(true);
        if (isInline(request.content())) {
            write.data(request.content().toArray());
        } else {
            write.staged(staged(request.content()));
        }
        return CellPacket.effect(CellOp.WRITE, id, new CellRequestBuilder().write(write));
    }

    CellPacket apply(ActionId id, List<FileChange> changes) {
        List<CellChangeBuilder> all = changes.stream().map(this::change).toList();
        CellApplyBuilder apply = new CellApplyBuilder().changes(all);
        return CellPacket.effect(CellOp.APPLY, id, new CellRequestBuilder().apply(apply));
    }

    private CellChangeBuilder change(FileChange change) {
        CellChangeBuilder builder = new CellChangeBuilder().path(relative(change.path()));
        return switch (change) {
            case FileChange.Write(_, Bytes content, OptionalInt mode, Expected expected) -> {
                builder.kind(CellChangeKind.WRITE)
                        .mode(mode.orElse(0))
                        .expected(expected(expected))
                        .has(has(mode, expected))
                        .parents(true);
                yield isInline(content)
                        ? builder.data(content.toArray())
                        : builder.staged(staged(content));
            }
            case FileChange.Remove(_, Expected expected) ->
                    builder.kind(CellChangeKind.REMOVE)
                            .expected(expected(expected))
                            .has(has(OptionalInt.empty(), expected));
            case FileChange.Rename(_, String target, Expected expected) ->
                    builder.kind(CellChangeKind.RENAME)
                            .target(relative(target))
                            .expected(expected(expected))
                            .has(has(OptionalInt.empty(), expected))
                            .parents(true);
            case FileChange.Mkdir(_, OptionalInt mode) ->
                    builder.kind(CellChangeKind.MKDIR)
                            .mode(mode.orElse(0))
                            .has(has(mode, Expected.anything()))
                            .parents(true);
        };
    }

    CellPacket remove(ActionId id, String path, Expected expected) {
        CellRemoveBuilder remove =
                new CellRemoveBuilder()
                        .path(relative(path))
                        .expected(expected(expected))
                        .has(hasExpected(expected) ? HAS_EXPECTED_ALONE : 0);
        return CellPacket.effect(CellOp.REMOVE, id, new CellRequestBuilder().remove(remove));
    }

    CellPacket rename(ActionId id, String path, String target, Expected expected) {
        CellRenameBuilder rename =
                new CellRenameBuilder()
                        .path(relative(path))
                        .target(relative(target))
                        .expected(expected(expected))
                        .has(hasExpected(expected) ? HAS_EXPECTED_ALONE : 0);
        return CellPacket.effect(CellOp.RENAME, id, new CellRequestBuilder().rename(rename));
    }

    CellPacket mkdir(ActionId id, String path) {
        CellMkdirBuilder mkdir = new CellMkdirBuilder().path(relative(path)).parents(true);
        return CellPacket.effect(CellOp.MKDIR, id, new CellRequestBuilder().mkdir(mkdir));
    }

    /** One piece of what is staged for an action. */
    static CellPacket stage(ActionId id, Staging staging, int offset, int length) {
        CellStageBuilder stage =
                new CellStageBuilder()
                        .content(staging.name())
                        .offset(offset)
                        .data(staging.content().slice(offset, offset + length).toArray());
        return CellPacket.about(CellOp.STAGE, id, new CellRequestBuilder().stage(stage));
    }

    CellPacket search(SearchRequest request) {
        CellSearchBuilder search =
                new CellSearchBuilder()
                        .path(relative(request.path()))
                        .glob(request.glob())
                        .limit(request.limit())
                        .timeoutMillis(request.effectiveTimeout().toMillis());
        CellSearchBuilder whole =
                switch (request.wanted()) {
                    case SearchRequest.Wanted.Expression(String expression, var letters) ->
                            search.pattern(expression).ignoreCase(isEither(letters));
                    case SearchRequest.Wanted.Text(String text, var letters) ->
                            search.pattern(text).literal(true).ignoreCase(isEither(letters));
                    case SearchRequest.Wanted.Files _ -> search;
                };
        return CellPacket.look(CellOp.SEARCH, new CellRequestBuilder().search(whole));
    }

    private static boolean isEither(SearchRequest.Letters letters) {
        return letters == SearchRequest.Letters.CAPITAL_OR_SMALL;
    }

    /** The path as the cell wants it: without the workspace's own. */
    String relative(String path) {
        if (!path.startsWith("/")) {
            return path;
        }
        String root = workspace.toString();
        if (path.equals(root)) {
            return "";
        }
        return path.startsWith(root + "/") ? path.substring(root.length() + 1) : path;
    }

    static List<EnvVarBuilder> variables(Map<String, String> env) {
        List<EnvVarBuilder> all = new ArrayList<>();
        new TreeMap<>(env)
                .forEach((name, value) -> all.add(new EnvVarBuilder().name(name).value(value)));
        return all;
    }

    private boolean isInline(Bytes content) {
        if (content.length() > inlineBytesLeft) {
            return false;
        }
        inlineBytesLeft -= content.length();
        return true;
    }

    private CellStagedBuilder staged(Bytes content) {
        Staging staging = new Staging(content, Sha256.of(content));
        toStage.add(staging);
        return staging.name();
    }

    private static long has(OptionalInt mode, Expected expected) {
        return (mode.isPresent() ? HAS_MODE : 0) | (hasExpected(expected) ? HAS_EXPECTED : 0);
    }

    private static boolean hasExpected(Expected expected) {
        return switch (expected) {
            case Expected.Anything _ -> false;
            case Expected.Nothing _, Expected.Content _ -> true;
        };
    }

    private static byte[] expected(Expected expected) {
        return switch (expected) {
            case Expected.Anything _, Expected.Nothing _ -> new byte[Sha256.LENGTH_BYTES];
            case Expected.Content(Sha256 sha256) -> sha256.bytes().toArray();
        };
    }
}
