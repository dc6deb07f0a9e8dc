package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.model.ProviderSettings;
import ai.hanzo.dev.host.secret.Vault;
import ai.hanzo.dev.host.tool.Configs;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.IdempotencyKey;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.NewSession;
import ai.hanzo.dev.ledger.Opened;
import ai.hanzo.dev.ledger.Payload;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.policy.Rules;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Failpoint;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.RunnerId;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.wire.ConfigWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.FileContent;
import ai.hanzo.dev.sandbox.Reply;
import ai.hanzo.dev.workspace.Workspace;
import java.util.List;
import java.util.Optional;

/**
 * Begins sessions: a cell, AGENTS.md read through it, the row with its Config, the note of what it
 * was started with and the first turn, all in one transaction. Safe for all threads.
 */
public final class NewSessions {
    private static final String INSTRUCTIONS = "AGENTS.md";

    /** A cell is leased before there is a lease: the first one of a session has this epoch. */
    private static final Epoch FIRST = new Epoch(1);

    private final SessionParts parts;
    private final LiveSessions live;
    private final Configs configs;
    private final Machine machine;

    public NewSessions(SessionParts parts, LiveSessions live, Configs configs, Machine machine) {
        this.parts = parts;
        this.live = live;
        this.configs = configs;
        this.machine = machine;
    }

    /** Where sessions of this host work. */
    public record Machine(String id, RunnerId runner) {}

    /** A session that is wanted; everything in it was checked. */
    public record Wanted(
            OrgId org,
            String createdBy,
            String title,
            Choice choice,
            SessionSetup setup,
            Opening opening,
            Optional<IdempotencyKey> key) {}

    /** Where, with which model and by which rules. */
    public record Choice(Workspace workspace, String model, Rules rules) {}

    /** How it begins; an empty prompt begins no turn. */
    public record Opening(String prompt, String instructions, Config.Limits limits) {}

    /** What came of it. */
    public sealed interface Begun {
        /** A new session. */
        record New(Session session) implements Begun {}

        /** The session that the same start made before. */
        record Existing(Session session) implements Begun {}

        /** The key belongs to another start. */
        record KeyReused() implements Begun {}

        /** Another session writes there. */
        record WorkspaceBusy(SessionId holder) implements Begun {}
    }

    /** Begins a session; {@code brought} are the provider variables of its caller. */
    public Begun begin(Wanted wanted, ProviderSettings brought) {
        parts.vaults().secrets().add(brought.secrets());
        SessionId id = SessionId.next(parts.ids());
        Cell cell = parts.cells().lease(parts.specs().of(id, FIRST, wanted.setup()));
        Failpoint.CELL_LEASED.reached();
        boolean kept = false;
        try {
            String instructions = instructions(cell, wanted.opening().instructions());
            Opened opened = parts.store().ledger().open(row(wanted, id, instructions));
            kept = opened instanceof Opened.Created;
            return switch (opened) {
                case Opened.Created(Session session, var _) ->
                        new Begun.New(begun(wanted, session, brought, Optional.of(cell)));
                case Opened.Existing(Session session) ->
                        new Begun.Existing(begun(wanted, session, brought, Optional.empty()));
                case Opened.KeyReused _ -> new Begun.KeyReused();
                case Opened.WorkspaceBusy(SessionId holder) -> new Begun.WorkspaceBusy(holder);
            };
        } finally {
            if (!kept) {
                cell.close();
                parts.cells().kill(id, FIRST);
            }
        }
    }

    private Session begun(
            Wanted wanted, Session session, ProviderSettings brought, Optional<Cell> cell) {
        live.learn(session.id(), brought);
        live.ensure(wanted.org(), session.id(), cell);
        return session;
    }

    private static NewEntry firstTurn(Wanted wanted, Vault vault) {
        Sha256 digest = Sha256.of(Bytes.utf8(wanted.opening().prompt()));
        return new NewEntry(
                EntryKind.TURN,
                Optional.empty(),
                wanted.createdBy(),
                Optional.of(new IdempotencyKey("start", digest)),
                turn(vault.mask(wanted.opening().prompt())));
    }

    /** A turn under the number that the ledger gives it. */
    public static Payload turn(String prompt) {
        return place ->
                EventWire.encode(
                        new Event.Turn(
                                place.turn()
                                        .orElseThrow(() ->
                                                new IllegalStateException(
                                                        "a turn without a number")),
                                prompt,
                                List.of()),
                        place.seq());
    }

    private NewSession row(Wanted wanted, SessionId id, String instructions) {
        Vault vault = parts.vaults().fresh(wanted.org(), id);
        Vault.Kept script = vault.keep(wanted.setup().script());
        Config config =
                configs.coding(
                        vault.mask(instructions),
                        wanted.choice().model(),
                        wanted.opening().limits());
        Workspace workspace = wanted.choice().workspace();
        return new NewSession(
                wanted.org(),
                id,
                vault.mask(wanted.title()),
                Optional.empty(),
                Optional.of(
                        new ai.hanzo.dev.ledger.Workspace(
                                workspace.path().toString(),
                                machine.id(),
                                workspace.device(),
                                workspace.inode(),
                                wanted.setup().readOnly()
                                        ? ai.hanzo.dev.ledger.Workspace.Access.READ
                                        : ai.hanzo.dev.ledger.Workspace.Access.WRITE)),
                wanted.choice().model(),
                wanted.choice().rules().name(),
                Sha256.parse(wanted.choice().rules().digest()),
                Sha256.parse(parts.cores().current().hex()),
                machine.runner(),
                wanted.createdBy(),
                wanted.key(),
                Payload.of(ConfigWire.encode(config)),
                List.of(
                        SessionLoop.setupEntry(
                                wanted.setup().withScript(script.name()), script.sealed())),
                wanted.opening().prompt().isEmpty()
                        ? Optional.empty()
                        : Optional.of(firstTurn(wanted, vault)));
    }

    /** AGENTS.md of the workspace, read through the cell as data, and what the caller adds. */
    private static String instructions(Cell cell, String added) {
        String text =
                switch (cell.read(INSTRUCTIONS, 0, cell.limits().chunkBytes())) {
                    case Reply.Done<FileContent>(FileContent file) -> file.content().toUtf8();
                    case Reply.Refused<FileContent> _ -> "";
                };
        if (added.isEmpty()) {
            return text;
        }
        return text.isEmpty() ? added : text + "\n\n" + added;
    }
}
