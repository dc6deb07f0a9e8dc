package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.dispatch.Denials;
import ai.hanzo.dev.host.secret.Vault;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.IdempotencyKey;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.Ledger;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Payload;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.wire.NoteWire;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what the sandbox denied into the journal, once for each action and kind: notes with the
 * topics {@code sandbox.path.denied}, {@code sandbox.protected.denied}, {@code
 * sandbox.syscall.denied} and {@code sandbox.network.denied}. Threads: any.
 */
final class DenialNotes implements Denials.Listener {
    private static final Logger log = LoggerFactory.getLogger(DenialNotes.class);

    private final Ledger ledger;
    private final Lease lease;
    private final Vault vault;

    DenialNotes(Ledger ledger, Lease lease, Vault vault) {
        this.ledger = ledger;
        this.lease = lease;
        this.vault = vault;
    }

    @Override
    public void denied(ActionId action, Denials.Kind kind, String text) {
        String what = vault.mask(text);
        String name = kind.name().toLowerCase(Locale.ROOT);
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("action", action.toString());
        facts.put("what", what);
        Bytes payload =
                NoteWire.encode(
                        new Note(
                                "sandbox." + name + ".denied",
                                "the sandbox denied action " + action + ": " + what,
                                facts));
        var key = new IdempotencyKey("denied-" + action + "-" + name, Sha256.of(payload));
        try {
            ledger.append(
                    lease.org(),
                    lease.session(),
                    new NewEntry(
                            EntryKind.NOTE,
                            Optional.empty(),
                            NewEntry.HOST,
                            Optional.of(key),
                            Payload.of(payload)));
        } catch (LedgerException e) {
            // The outcome itself waits for the database; a note does not hold it up.
            log.atWarn()
                    .addKeyValue("session", lease.session())
                    .addKeyValue("action", action)
                    .addKeyValue("code", e.code())
                    .log("a denial was not recorded");
        }
    }
}
