package ai.hanzo.dev.host;

import ai.hanzo.dev.host.core.Core;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Journal;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.wire.ActionWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A recorded journal, as far as the core has to do with it.
 *
 * @param entries in the order of the journal
 */
record Recorded(List<Line> entries) {
    /** An entry: its number, kind and payload. */
    record Line(long seq, String kind, Bytes payload) {}

    static Recorded of(Journal journal, OrgId org, SessionId session) {
        return new Recorded(
                journal.entries(org, session, new Seq(0), Journal.MAX_LIMIT).stream()
                        .map(Recorded::line)
                        .toList());
    }

    private static Line line(Entry entry) {
        return new Line(entry.seq().value(), entry.kind().value(), entry.payload());
    }

    /** As a file keeps it: number, kind and payload in base64, a line each. */
    static Recorded parse(String text) {
        return new Recorded(
                text.lines()
                        .map(line -> line.split(" ", 3))
                        .map(words ->
                                new Line(
                                        Long.parseLong(words[0]),
                                        words[1],
                                        Bytes.wrap(Base64.getDecoder().decode(words[2]))))
                        .toList());
    }

    String text() {
        return entries.stream()
                .map(line ->
                        line.seq()
                                + " "
                                + line.kind()
                                + " "
                                + Base64.getEncoder().encodeToString(line.payload().toArray())
                                + "\n")
                .collect(Collectors.joining());
    }

    /** The actions that were recorded, encoded. */
    List<Bytes> actions() {
        return entries.stream()
                .filter(line -> line.kind().equals(EntryKind.ACTION.value()))
                .map(Line::payload)
                .toList();
    }

    /** What a core made of the same inputs. */
    record Replayed(List<Bytes> actions, Bytes snapshot) {}

    /** Feeds the recorded inputs to a new core. */
    Replayed replay(Cores cores) {
        List<Bytes> actions = new ArrayList<>();
        try (Core core = cores.open(cores.current(), entries.getFirst().payload())) {
            for (Line line : entries.subList(1, entries.size())) {
                if (!new EntryKind(line.kind()).isForCore()) {
                    continue;
                }
                Bytes event = EventWire.withEntry(line.payload(), new Seq(line.seq()));
                for (Action action : ActionWire.decodeBatch(core.step(event))) {
                    actions.add(ActionWire.encode(action));
                }
            }
            return new Replayed(actions, core.snapshot());
        }
    }
}
