package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.sandbox.LeaseSpec.Mount;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.dev.CellExitReason;
import ai.hanzo.dev.zap.dev.CellInfoView;
import ai.hanzo.dev.zap.dev.CellLevel;
import ai.hanzo.dev.zap.dev.CellLimitsBuilder;
import ai.hanzo.dev.zap.dev.CellPathBuilder;
import ai.hanzo.dev.zap.dev.CellSpecBuilder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** What is said to the supervisor of a cell, and what it says of one. */
final class SpawnSpecs {

    private SpawnSpecs() {}

    static CellSpecBuilder of(LeaseSpec spec) {
        LeaseSpec.Places places = spec.places();
        return new CellSpecBuilder()
                .session(spec.session().value())
                .epoch(spec.epoch().value())
                .workspace(spec.workspace().path().toString())
                .writable(
                        switch (spec.workspace().access()) {
                            case READ_WRITE -> true;
                            case READ_ONLY -> false;
                        })
                .required(
                        switch (spec.required()) {
                            case NONE, LANDLOCK -> CellLevel.LANDLOCK;
                            case NAMESPACES -> CellLevel.NAMESPACES;
                        })
                .home(places.home().toString())
                .tmp(places.tmp().map(Path::toString).orElse(""))
                .spool(places.spool().toString())
                .journal(places.journal().toString())
                .readOnly(paths(spec.readOnly()))
                .caches(paths(spec.caches()))
                .env(Requests.variables(spec.env()))
                .limits(limits(spec.limits()))
                .orphanGraceMillis(spec.orphanGrace().toMillis());
    }

    private static List<CellPathBuilder> paths(List<Mount> mounts) {
        return mounts.stream()
                .map(mount ->
                        new CellPathBuilder()
                                .source(mount.source().toString())
                                .target(mount.target().toString()))
                .toList();
    }

    private static CellLimitsBuilder limits(CellLimits limits) {
        return new CellLimitsBuilder()
                .memoryBytes(limits.memoryBytes())
                .fileBytes(limits.fileBytes())
                .diskBytes(limits.diskBytes())
                .cpuSeconds(limits.cpuSeconds())
                .processes(limits.processes())
                .openFiles(limits.openFiles());
    }

    static CellSummary summary(CellInfoView cell) {
        try {
            return new CellSummary(
                    cell.session(),
                    cell.epoch(),
                    Replies.incarnation(cell.incarnation()),
                    life(cell),
                    (int) cell.pid(),
                    cell.levelNumber() == 0 ? Level.NONE : Replies.level(cell.level()),
                    cell.hosted(),
                    cell.warm(),
                    Instant.ofEpochMilli(cell.startedMillis()));
        } catch (CodecException | IllegalArgumentException e) {
            throw CellException.protocol("The supervisor's list of cells makes no sense", e);
        }
    }

    private static CellSummary.Life life(CellInfoView cell) {
        return switch (cell.life()) {
            case RUNNING -> new CellSummary.Running();
            case EXITED ->
                    new CellSummary.Exited(reason(cell.reason()), cell.exit(), cell.signal());
        };
    }

    private static CellSummary.Reason reason(CellExitReason reason) {
        return switch (reason) {
            case ENDED -> CellSummary.Reason.ENDED;
            case KILLED -> CellSummary.Reason.KILLED;
            case ORPHANED -> CellSummary.Reason.ORPHANED;
            case FAILED -> CellSummary.Reason.FAILED;
        };
    }
}
