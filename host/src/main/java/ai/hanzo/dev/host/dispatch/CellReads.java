package ai.hanzo.dev.host.dispatch;

import ai.hanzo.dev.host.model.Printable;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.Outcome.Status;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.DirectoryPage;
import ai.hanzo.dev.sandbox.FileContent;
import ai.hanzo.dev.sandbox.FileStat;
import ai.hanzo.dev.sandbox.Reply;
import ai.hanzo.dev.sandbox.SearchRequest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Looks at the workspace through its cell. Threads: any. */
final class CellReads {
    private static final int DEFAULT_LIST = 1000;

    private final Cell cell;
    private final Function<Reply.Refused<?>, Outcome> refusal;

    /**
     * @param refusal what it means that the cell refuses
     */
    CellReads(Cell cell, Function<Reply.Refused<?>, Outcome> refusal) {
        this.cell = cell;
        this.refusal = refusal;
    }

    /** The bytes of a file, at most {@link ai.hanzo.dev.sandbox.Limits#chunkBytes()} of them. */
    Outcome read(Op.Read read) {
        int max = cell.limits().chunkBytes();
        int length = read.lengthBytes() == 0 ? max : (int) Math.min(read.lengthBytes(), max);
        return answer(
                cell.read(read.path(), read.offset(), length),
                (FileContent content) -> {
                    long left = Math.max(0, content.sizeBytes() - read.offset());
                    long wanted =
                            read.lengthBytes() == 0 ? left : Math.min(left, read.lengthBytes());
                    return shown(content.content(), wanted);
                });
    }

    Outcome list(Op.ListFiles list) {
        int limit = list.limit() == 0 ? DEFAULT_LIST : list.limit();
        return answer(
                cell.list(list.path(), list.offset(), limit), page -> listing(list, limit, page));
    }

    private static Outcome listing(Op.ListFiles list, int limit, DirectoryPage page) {
        StringBuilder text = new StringBuilder();
        for (DirectoryPage.DirectoryEntry entry : page.entries()) {
            String mark =
                    switch (entry.kind()) {
                        case DIRECTORY -> "/";
                        case SYMLINK -> "@";
                        case FILE -> "";
                        case OTHER -> " (special)";
                    };
            text.append(Printable.text(entry.name())).append(mark).append('\n');
        }
        long next = (long) list.offset() + page.entries().size();
        if (next < page.total()) {
            text.append("[").append(page.total() - next).append(" more: list again with offset ");
            text.append(next).append(" and limit ").append(limit).append("]\n");
        }
        return Outcome.ok(Bytes.utf8(text.toString()));
    }

    Outcome search(Op.Search search) {
        SearchRequest request =
                SearchRequest.expression(search.pattern())
                        .in(search.path())
                        .withGlob(search.glob())
                        .withLimit(Math.min(search.limit(), SearchRequest.MOST_MATCHES));
        return answer(cell.search(request), found -> Outcome.ok(Bytes.utf8(FoundLines.of(found))));
    }

    Outcome stat(Op.Stat stat) {
        return answer(
                cell.stat(stat.path()),
                (FileStat file) ->
                        Outcome.ok(
                                Bytes.utf8(
                                        String.format(
                                                Locale.ROOT,
                                                "%s, %d bytes, mode %04o, modified %s%n",
                                                file.kind().name().toLowerCase(Locale.ROOT),
                                                file.sizeBytes(),
                                                file.mode(),
                                                file.modified()))));
    }

    private static Outcome shown(Bytes bytes, long allBytes) {
        return new Outcome(
                Status.OK,
                Optional.empty(),
                bytes,
                Bytes.empty(),
                Math.max(allBytes, bytes.length()),
                0,
                allBytes > bytes.length(),
                List.of(),
                "");
    }

    private <T> Outcome answer(Reply<T> reply, Function<T, Outcome> done) {
        return switch (reply) {
            case Reply.Done<T>(T value) -> done.apply(value);
            case Reply.Refused<T> refused -> refusal.apply(refused);
        };
    }
}
