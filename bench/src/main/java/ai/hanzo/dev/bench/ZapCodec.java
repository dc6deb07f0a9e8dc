package ai.hanzo.dev.bench;

import ai.hanzo.dev.zap.Budget;
import ai.hanzo.dev.zap.Validator;
import ai.hanzo.dev.zap.ZapReader;
import ai.hanzo.dev.zap.dev.CellEntryBuilder;
import ai.hanzo.dev.zap.dev.CellEntryView;
import ai.hanzo.dev.zap.dev.CellFileKind;
import ai.hanzo.dev.zap.dev.CellListResultBuilder;
import ai.hanzo.dev.zap.dev.CellListResultView;
import ai.hanzo.dev.zap.dev.ResultBuilder;
import ai.hanzo.dev.zap.dev.ResultStatus;
import ai.hanzo.dev.zap.dev.ResultView;
import java.util.ArrayList;
import java.util.List;

/** The messages in ZAP, by the classes that the schema compiler makes. One thread. */
final class ZapCodec {
    private final List<byte[]> names = Messages.names();
    private final ZapReader reader = ZapReader.empty();
    private final Validator validator = new Validator();
    private final ResultView result = new ResultView(reader, ZapReader.NULL);
    private final CellListResultView listing = new CellListResultView(reader, ZapReader.NULL);
    private final CellEntryView entry = new CellEntryView(reader, ZapReader.NULL);

    /** Opens a message that we wrote ourselves and reads five fields. */
    long openAndRead(byte[] message) {
        reader.reopen(message, 0, message.length, ZapReader.Mode.COMPATIBLE);
        return read();
    }

    /** The same for a message from a stranger: strict, and every value walked. */
    long openStrictlyAndRead(byte[] message) {
        reader.reopen(message, 0, message.length, ZapReader.Mode.STRICT);
        validator.check(reader, ResultView.LAYOUT, Budget.standard());
        return read();
    }

    private long read() {
        result.on(reader, reader.root());
        return result.id()
                + result.statusNumber()
                + result.exit()
                + result.stdoutBytes()
                + ZapReader.length(result.stdoutRun());
    }

    byte[] buildResult() {
        return new ResultBuilder()
                .id(42)
                .status(ResultStatus.FAILED)
                .has(1)
                .exit(2)
                .stdout(Messages.STDOUT)
                .stdoutBytes(Messages.STDOUT.length)
                .message(Messages.MESSAGE)
                .toMessage();
    }

    byte[] buildListing() {
        var entries = new ArrayList<CellEntryBuilder>(Messages.ENTRIES);
        for (int i = 0; i < Messages.ENTRIES; i++) {
            entries.add(
                    new CellEntryBuilder()
                            .kind(CellFileKind.FILE)
                            .mode(Messages.MODE)
                            .sizeBytes(Messages.sizeBytes(i))
                            .mtimeNanos(Messages.mtimeNanos(i))
                            .name(names.get(i)));
        }
        return new CellListResultBuilder().entries(entries).total(Messages.ENTRIES).toMessage();
    }

    /** Sums three fields of each entry. */
    long readListing(byte[] message) {
        reader.reopen(message, 0, message.length, ZapReader.Mode.COMPATIBLE);
        listing.on(reader, reader.root());
        long sum = 0;
        int count = listing.entriesCount();
        for (int i = 0; i < count; i++) {
            listing.entries(i, entry);
            sum += entry.sizeBytes() + entry.mode() + ZapReader.length(entry.nameRun());
        }
        return sum;
    }
}
