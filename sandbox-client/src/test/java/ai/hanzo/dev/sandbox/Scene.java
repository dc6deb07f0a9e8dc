package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.sandbox.LeaseSpec.Access;
import ai.hanzo.dev.sandbox.LeaseSpec.Places;
import ai.hanzo.dev.sandbox.LeaseSpec.WorkspaceMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** A supervisor of its own with one workspace, for one test; ends with all its cells. */
final class Scene implements AutoCloseable {
    private final Path root;
    private final AtomicLong lastAction = new AtomicLong();
    private final List<Cells> opened = new ArrayList<>();
    final SessionId session = TestIds.session();

    Scene(Path root) throws IOException {
        this.root = root.toRealPath();
        Files.createDirectories(workspace());
    }

    Path workspace() {
        return root.resolve("w");
    }

    Path supervisor() {
        return root.resolve("s");
    }

    Path places() {
        return root.resolve("p");
    }

    Cells cells() {
        Cells cells = Cells.open(CellsConfig.in(supervisor()));
        opened.add(cells);
        return cells;
    }

    LeaseSpec spec(long epoch) {
        return LeaseSpec.of(session, new Epoch(epoch), workspace(), Places.in(places()));
    }

    /** The first lease, with limits of its own. */
    LeaseSpec spec(CellLimits limits) {
        return new LeaseSpec(
                session,
                new Epoch(1),
                new WorkspaceMount(workspace(), Access.READ_WRITE),
                Places.in(places()),
                List.of(),
                List.of(),
                Map.of(),
                limits,
                Level.LANDLOCK,
                LeaseSpec.DEFAULT_ORPHAN_GRACE);
    }

    ActionId next() {
        return new ActionId(lastAction.incrementAndGet());
    }

    Path write(String name, String content) throws IOException {
        return Files.writeString(workspace().resolve(name), content);
    }

    String read(String name) throws IOException {
        return Files.readString(workspace().resolve(name));
    }

    @Override
    public void close() {
        opened.forEach(Cells::close);
        try (Cells last = Cells.open(CellsConfig.in(supervisor()))) {
            last.endAll();
        }
    }
}
