package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.sandbox.DirectoryPage.DirectoryEntry;
import ai.hanzo.dev.sandbox.FileOutcome.ChangedFile;
import ai.hanzo.dev.sandbox.FileOutcome.FileOp;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.ZapReader;
import ai.hanzo.dev.zap.dev.CellChangedView;
import ai.hanzo.dev.zap.dev.CellChangesView;
import ai.hanzo.dev.zap.dev.CellDeniedView;
import ai.hanzo.dev.zap.dev.CellEnding;
import ai.hanzo.dev.zap.dev.CellEntryView;
import ai.hanzo.dev.zap.dev.CellExecOutcomeView;
import ai.hanzo.dev.zap.dev.CellFileKind;
import ai.hanzo.dev.zap.dev.CellFileOutcomeView;
import ai.hanzo.dev.zap.dev.CellHelloResultView;
import ai.hanzo.dev.zap.dev.CellLevel;
import ai.hanzo.dev.zap.dev.CellListResultView;
import ai.hanzo.dev.zap.dev.CellMatchView;
import ai.hanzo.dev.zap.dev.CellOutcomeView;
import ai.hanzo.dev.zap.dev.CellOutputResultView;
import ai.hanzo.dev.zap.dev.CellReadResultView;
import ai.hanzo.dev.zap.dev.CellRefusal;
import ai.hanzo.dev.zap.dev.CellReplyView;
import ai.hanzo.dev.zap.dev.CellSearchResultView;
import ai.hanzo.dev.zap.dev.CellStreamView;
import ai.hanzo.dev.zap.dev.CellWatchResultView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A cell's answers as values. The views have been walked strictly; here their meaning is checked.
 * Everything throws {@link CodecException} or {@link IllegalArgumentException} for what a cell
 * cannot mean.
 */
final class Replies {

    /** CellFileOutcome: has the file's digest when there is a file. */
    private static final Bytes NO_DIGEST = Bytes.wrap(new byte[Sha256.LENGTH_BYTES]);

    private static final int MAX_MODE = 07777;

    private Replies() {}

    static <T> Reply.Refused<T> refused(CellReplyView reply) {
        require(reply.hasRefused(), "a refusal without reason");
        return new Reply.Refused<>(code(reply.refused().code()), reply.refused().message());
    }

    static boolean isStale(CellReplyView reply) {
        return reply.hasRefused() && reply.refused().code() == CellRefusal.STALE_EPOCH;
    }

    static CellOutcome outcome(CellReplyView reply) {
        require(reply.hasOutcome(), "no outcome");
        CellOutcomeView outcome = reply.outcome();
        return switch (outcome.op()) {
            case EXEC, SPAWN -> exec(outcome);
            case WRITE -> file(outcome, FileOp.WRITE);
            case APPLY -> file(outcome, FileOp.APPLY);
            case REMOVE -> file(outcome, FileOp.REMOVE);
            case RENAME -> file(outcome, FileOp.RENAME);
            case MKDIR -> file(outcome, FileOp.MKDIR);
            case INPUT,
                    RESIZE,
                    KILL,
                    READ,
                    STAT,
                    LIST,
                    WATCH,
                    HELLO,
                    STAGE,
                    OUTPUT,
                    STATUS,
                    ACK,
                    CANCEL,
                    SEARCH,
                    CREDIT ->
                    throw CodecException.badValue("an outcome of what is no effect here");
        };
    }

    private static ExecOutcome exec(CellOutcomeView outcome) {
        require(outcome.hasExec(), "an exec without its end");
        CellExecOutcomeView exec = outcome.exec();
        int signal = exec.signal();
        require(signal >= 0 && signal <= 64, "signal " + signal);
        require(signal > 0 || (exec.exit() >= 0 && exec.exit() <= 255), "exit " + exec.exit());
        return new ExecOutcome(
                end(exec.ending()),
                signal > 0 ? 128 + signal : exec.exit(),
                signal,
                captured(exec.stdout()),
                captured(exec.stderr()),
                toInt(exec.leftRunning()),
                exec.leftKept() ? ExecRequest.Leftovers.KEEP : ExecRequest.Leftovers.KILL,
                notNegative(exec.elapsedMillis()),
                notNegative(exec.cpuMillis()),
                reverted(exec),
                denied(exec));
    }

    private static ExecOutcome.End end(CellEnding ending) {
        return switch (ending) {
            case ENDED -> ExecOutcome.End.ENDED;
            case TIMED_OUT -> ExecOutcome.End.TIMED_OUT;
            case CANCELLED -> ExecOutcome.End.CANCELLED;
        };
    }

    private static CapturedOutput captured(CellStreamView stream) {
        return new CapturedOutput(
                Bytes.wrap(stream.head()),
                Bytes.wrap(stream.tail()),
                notNegative(stream.totalBytes()),
                notNegative(stream.keptBytes()));
    }

    private static List<String> reverted(CellExecOutcomeView exec) {
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < exec.revertedCount(); i++) {
            paths.add(exec.reverted(i).value());
        }
        return paths;
    }

    private static List<ExecOutcome.DeniedCall> denied(CellExecOutcomeView exec) {
        List<ExecOutcome.DeniedCall> calls = new ArrayList<>();
        for (int i = 0; i < exec.deniedCount(); i++) {
            CellDeniedView call = exec.denied(i);
            require(call.call().matches("[a-z0-9_]{1,40}"), "a call of the name " + call.call());
            calls.add(new ExecOutcome.DeniedCall(call.call(), call.count()));
        }
        return calls;
    }

    private static FileOutcome file(CellOutcomeView outcome, FileOp op) {
        List<ChangedFile> files = new ArrayList<>();
        for (int i = 0; i < outcome.filesCount(); i++) {
            CellFileOutcomeView file = outcome.files(i);
            Bytes digest = Bytes.wrap(file.digest());
            files.add(
                    new ChangedFile(
                            digest.equals(NO_DIGEST)
                                    ? Optional.empty()
                                    : Optional.of(new Sha256(digest)),
                            notNegative(file.sizeBytes()),
                            mode(file.mode()),
                            file.created()));
        }
        Optional<FileOutcome.Failure> failure =
                outcome.failureNumber() == 0
                        ? Optional.empty()
                        : Optional.of(
                                new FileOutcome.Failure(
                                        code(outcome.failure()), outcome.message()));
        return new FileOutcome(op, files, failure);
    }

    static FileContent content(CellReplyView reply) {
        CellReadResultView read = read(reply);
        return new FileContent(
                bytes(read.reader(), read.dataRun()),
                notNegative(read.sizeBytes()),
                mode(read.mode()),
                time(read.mtimeNanos()));
    }

    /**
     * A packet is its receiver's alone and changed by nobody: what is large in it is not copied.
     */
    private static Bytes bytes(ZapReader reader, long run) {
        int from = reader.base() + ZapReader.start(run);
        return Bytes.wrap(reader.array()).slice(from, from + ZapReader.length(run));
    }

    static CellReadResultView read(CellReplyView reply) {
        require(reply.hasRead(), "no content");
        return reply.read();
    }

    static FileStat stat(CellReplyView reply) {
        require(reply.hasStat(), "no stat");
        CellEntryView entry = reply.stat();
        return new FileStat(
                kind(entry.kind()),
                notNegative(entry.sizeBytes()),
                mode(entry.mode()),
                time(entry.mtimeNanos()));
    }

    static DirectoryPage page(CellReplyView reply) {
        require(reply.hasList(), "no list");
        CellListResultView list = reply.list();
        List<DirectoryEntry> entries = new ArrayList<>();
        for (int i = 0; i < list.entriesCount(); i++) {
            CellEntryView entry = list.entries(i);
            Bytes name = Bytes.wrap(entry.name());
            require(isName(name), "the name " + name);
            entries.add(
                    new DirectoryEntry(
                            name,
                            kind(entry.kind()),
                            notNegative(entry.sizeBytes()),
                            mode(entry.mode()),
                            time(entry.mtimeNanos())));
        }
        return new DirectoryPage(entries, list.total());
    }

    /** One component of a path: a cell cannot make a caller walk elsewhere. */
    private static boolean isName(Bytes name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.at(i) == '/' || name.at(i) == 0) {
                return false;
            }
        }
        return !name.isEmpty() && !name.equals(Bytes.utf8(".")) && !name.equals(Bytes.utf8(".."));
    }

    static OutputChunk output(CellReplyView reply) {
        require(reply.hasOutput(), "no output");
        CellOutputResultView output = reply.output();
        return new OutputChunk(
                Bytes.wrap(output.data()),
                notNegative(output.totalBytes()),
                notNegative(output.keptBytes()),
                output.ended());
    }

    static SearchResult search(CellReplyView reply) {
        require(reply.hasSearch(), "no search");
        CellSearchResultView search = reply.search();
        List<SearchResult.Match> matches = new ArrayList<>();
        for (int i = 0; i < search.matchesCount(); i++) {
            CellMatchView match = search.matches(i);
            Bytes path = Bytes.wrap(match.path());
            require(!path.isEmpty(), "a match without a path");
            matches.add(
                    new SearchResult.Match(
                            path, toInt(match.line()), Bytes.wrap(match.text()), match.cut()));
        }
        return new SearchResult(
                matches,
                switch (search.ending()) {
                    case WHOLE -> SearchResult.End.WHOLE;
                    case LIMIT -> SearchResult.End.LIMIT;
                    case BYTES -> SearchResult.End.BYTES;
                    case TIMED_OUT -> SearchResult.End.TIMED_OUT;
                },
                toInt(search.files()),
                toInt(search.binary()),
                toInt(search.unread()));
    }

    static CellWatchResultView watch(CellReplyView reply) {
        require(reply.hasWatch(), "no watch");
        return reply.watch();
    }

    static Watch.Changes changes(CellChangesView view) {
        List<Watch.Changed> entries = new ArrayList<>();
        for (int i = 0; i < view.entriesCount(); i++) {
            CellChangedView entry = view.entries(i);
            Bytes name = Bytes.wrap(entry.name());
            require(isName(name), "the name " + name);
            Set<Watch.Change> what = EnumSet.noneOf(Watch.Change.class);
            addIf(entry.created(), Watch.Change.CREATED, what);
            addIf(entry.written(), Watch.Change.WRITTEN, what);
            addIf(entry.attributes(), Watch.Change.ATTRIBUTES, what);
            addIf(entry.removed(), Watch.Change.REMOVED, what);
            require(!what.isEmpty(), "a name to which nothing happened");
            entries.add(new Watch.Changed(name, what));
        }
        return new Watch.Changes(view.sequence(), entries, view.rescan(), view.ended());
    }

    private static void addIf(boolean condition, Watch.Change change, Set<Watch.Change> to) {
        if (condition) {
            to.add(change);
        }
    }

    /** How much of all input was taken. */
    static long accepted(CellReplyView reply) {
        require(reply.hasInput(), "no word of the input");
        return notNegative(reply.input().acceptedBytes());
    }

    static ActionStatus status(CellReplyView reply) {
        require(reply.hasStatus(), "no status");
        return switch (reply.status().state()) {
            case UNKNOWN -> new ActionStatus.Unknown();
            case RUNNING -> new ActionStatus.Running();
            case HELD -> new ActionStatus.Held(outcome(reply));
            case SPENT -> new ActionStatus.Forgotten();
        };
    }

    static Limits limits(CellHelloResultView hello) {
        Limits limits =
                new Limits(
                        toInt(hello.frameBytes()),
                        toInt(hello.chunkBytes()),
                        notNegative(hello.keptBytes()),
                        toInt(hello.windowRequests()));
        boolean isSane =
                limits.chunkBytes() >= 1024
                        && limits.chunkBytes() < limits.packetBytes()
                        && limits.requestsAtOnce() >= 2
                        && limits.requestsAtOnce() <= 1024;
        if (!isSane) {
            throw CodecException.badValue("limits of " + limits);
        }
        return limits;
    }

    static Enforced enforced(CellHelloResultView hello) {
        List<String> layers = new ArrayList<>();
        for (int i = 0; i < hello.layersCount(); i++) {
            layers.add(hello.layers(i).value());
        }
        return new Enforced(level(hello.level()), hello.landlockAbi(), layers, List.of());
    }

    static Level level(CellLevel level) {
        return switch (level) {
            case NONE -> Level.NONE;
            case LANDLOCK -> Level.LANDLOCK;
            case NAMESPACES -> Level.NAMESPACES;
        };
    }

    static Incarnation incarnation(byte[] bytes) {
        return new Incarnation(Bytes.wrap(bytes).toHex());
    }

    static Instant time(long nanos) {
        return Instant.ofEpochSecond(
                Math.floorDiv(nanos, 1_000_000_000L), Math.floorMod(nanos, 1_000_000_000L));
    }

    private static FileKind kind(CellFileKind kind) {
        return switch (kind) {
            case FILE -> FileKind.FILE;
            case DIRECTORY -> FileKind.DIRECTORY;
            case LINK -> FileKind.SYMLINK;
            case OTHER -> FileKind.OTHER;
        };
    }

    private static RefusalCode code(CellRefusal refusal) {
        return switch (refusal) {
            case MALFORMED -> RefusalCode.MALFORMED;
            case UNKNOWN_OP -> RefusalCode.UNKNOWN_OP;
            case TOO_LARGE -> RefusalCode.TOO_LARGE;
            case BUSY -> RefusalCode.BUSY;
            case STALE_EPOCH -> throw CodecException.badValue("a stale epoch in an outcome");
            case DIGEST_MISMATCH -> RefusalCode.DIGEST_MISMATCH;
            case ID_REUSE -> RefusalCode.ID_REUSE;
            case ID_SPENT -> RefusalCode.ID_SPENT;
            case RUNNING -> RefusalCode.RUNNING;
            case INVALID -> RefusalCode.INVALID;
            case OUTSIDE -> RefusalCode.OUTSIDE;
            case NOT_FOUND -> RefusalCode.NOT_FOUND;
            case NOT_REGULAR -> RefusalCode.NOT_REGULAR;
            case NOT_DIRECTORY -> RefusalCode.NOT_DIRECTORY;
            case EXISTS -> RefusalCode.EXISTS;
            case NOT_EMPTY -> RefusalCode.NOT_EMPTY;
            case CONFLICT -> RefusalCode.CONFLICT;
            case PAST_END -> RefusalCode.PAST_END;
            case DENIED -> RefusalCode.DENIED;
            case PROTECTED -> RefusalCode.PROTECTED;
            case NO_SPACE -> RefusalCode.NO_SPACE;
            case NOT_STAGED -> RefusalCode.NOT_STAGED;
            case NOT_HELD -> RefusalCode.NOT_HELD;
            case NOT_EXECUTABLE -> RefusalCode.NOT_EXECUTABLE;
            case RESOURCES -> RefusalCode.RESOURCES;
            case IO -> RefusalCode.IO;
            case VERSION -> RefusalCode.VERSION;
            case NOT_RUNNING -> RefusalCode.NOT_RUNNING;
        };
    }

    private static int mode(long mode) {
        require(mode >= 0 && mode <= MAX_MODE, "mode " + Long.toOctalString(mode));
        return (int) mode;
    }

    private static long notNegative(long value) {
        require(value >= 0, "the size " + Long.toUnsignedString(value));
        return value;
    }

    private static int toInt(long value) {
        require(value >= 0 && value <= Integer.MAX_VALUE, "the number " + value);
        return (int) value;
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw CodecException.badValue(what);
        }
    }
}
