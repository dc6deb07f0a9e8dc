package ai.hanzo.dev.host.session;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.dispatch.CellProxies;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.LeaseSpec;
import ai.hanzo.dev.sandbox.LeaseSpec.Places;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SessionCellTest {
    private final Set<Cell> over = new HashSet<>();
    private final Set<Cell> closed = new HashSet<>();

    private final Cells cells =
            of(
                    Cells.class,
                    (_, method, _) ->
                            switch (method.getName()) {
                                case "lease" -> leased();
                                default -> throw new AssertionError(method);
                            });

    private final SessionCell cell =
            new SessionCell(
                    new CellRoom(cells),
                    LeaseSpec.of(
                            new SessionId("ses_00000000000000000000000001"),
                            new Epoch(1),
                            Path.of("/w"),
                            Places.in(Path.of("/p"))),
                    CellProxies.toPublicAddresses(),
                    List.of());

    private static <T> T of(Class<T> type, java.lang.reflect.InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @SuppressWarnings("ReferenceEquality") // this very cell
    private Cell leased() {
        return of(
                Cell.class,
                (self, method, arguments) ->
                        switch (method.getName()) {
                            case "isOver" -> over.contains(self);
                            case "close" -> {
                                closed.add((Cell) self);
                                yield null;
                            }
                            case "hashCode" -> System.identityHashCode(self);
                            case "equals" -> self == arguments[0];
                            case "toString" -> "cell";
                            default -> throw new AssertionError(method);
                        });
    }

    @Test
    void oneThatDiedUnusedIsReplacedBeforeAnythingIsSentToIt() {
        try (CellRoom.Hold _ = cell.hold()) {
            Cell first = cell.get();
            assertThat(cell.get()).isSameAs(first);
            over.add(first);

            Cell second = cell.get();

            assertThat(second).isNotSameAs(first);
            assertThat(closed).containsExactly(first);
            assertThat(cell.get()).isSameAs(second);
        }
    }

    @Test
    void whoFindsItBrokenLaterDoesNotLoseTheNextOne() {
        try (CellRoom.Hold _ = cell.hold()) {
            Cell first = cell.get();
            over.add(first);
            Cell second = cell.get();

            cell.lost(first);

            assertThat(cell.get()).isSameAs(second);
        }
    }
}
