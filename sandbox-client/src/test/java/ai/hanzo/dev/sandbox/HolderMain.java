package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.sandbox.LeaseSpec.Places;
import java.nio.file.Path;

/**
 * A host in a JVM of its own, for tests that kill it: leases a cell, prints the incarnation, runs a
 * shell line, prints what became of it.
 *
 * <p>Arguments: supervisor directory, workspace, places, session, epoch, action, shell line.
 */
final class HolderMain {
    private HolderMain() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) {
        LeaseSpec spec =
                LeaseSpec.of(
                        new SessionId(arguments[3]),
                        new Epoch(Long.parseLong(arguments[4])),
                        Path.of(arguments[1]),
                        Places.in(Path.of(arguments[2])));
        try (Cells cells = Cells.open(CellsConfig.in(Path.of(arguments[0])));
                Cell cell = cells.lease(spec)) {
            System.out.println(cell.incarnation());
            ActionId id = new ActionId(Long.parseLong(arguments[5]));
            System.out.println(cell.exec(id, ExecRequest.shell(arguments[6])));
        }
    }
}
