package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.core.SnapshotSeal;
import ai.hanzo.dev.host.dispatch.CellEffects;
import ai.hanzo.dev.host.dispatch.CellProxies;
import ai.hanzo.dev.host.dispatch.Denials;
import ai.hanzo.dev.host.dispatch.WebEffects;
import ai.hanzo.dev.host.model.Models;
import ai.hanzo.dev.host.secret.Vaults;
import ai.hanzo.dev.host.stream.Deltas;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.policy.Facts;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Uuid7;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.workspace.Checkpoints;
import java.time.Duration;
import java.time.InstantSource;

/**
 * What all sessions of a host share; put together once, in {@code Assembly}. Everything in it is
 * safe for all threads.
 */
public record SessionParts(
        Store store,
        Cores cores,
        CellRoom cells,
        CellSpecs specs,
        Models models,
        Checkpoints checkpoints,
        CellEffectsFactory inCell,
        WebEffects web,
        CellProxies proxies,
        FactsFinder facts,
        SealFinder seals,
        Vaults vaults,
        Deltas deltas,
        Uuid7 ids,
        InstantSource clock,
        Duration idleAfter) {

    /** Makes what carries out effects in a given cell. */
    public interface CellEffectsFactory {
        /**
         * The effects of one cell.
         *
         * @param denials told of what the sandbox keeps actions from
         * @param commandLimit of commands that ask for no limit; zero is the cell's own
         */
        CellEffects of(Cell cell, Denials denials, Duration commandLimit);
    }

    /** Finds what snapshots are sealed with. */
    public interface SealFinder {
        /** The seal of an organisation's snapshots. */
        SnapshotSeal of(OrgId org);
    }

    /** Finds out what policy has to know of an operation. */
    public interface FactsFinder {
        /** The facts of {@code op} in a session that works in {@code workspace}. */
        Facts of(Op op, String workspace, boolean readOnly);
    }
}
