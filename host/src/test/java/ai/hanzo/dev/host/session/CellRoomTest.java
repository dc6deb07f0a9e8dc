package ai.hanzo.dev.host.session;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.sandbox.Cells;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellRoomTest {
    private final List<String> given = new ArrayList<>();
    private final CellRoom room = new CellRoom(NONE, 2, Duration.ZERO);

    /** Nobody asks it for anything here. */
    private static final Cells NONE =
            (Cells)
                    Proxy.newProxyInstance(
                            Cells.class.getClassLoader(),
                            new Class<?>[] {Cells.class},
                            (_, method, _) -> {
                                throw new AssertionError(method);
                            });

    private CellRoom.Tenant tenant(String name) {
        return () -> given.add(name);
    }

    @Test
    void asManyAsMayBeUnusedAreLeftAlone() {
        room.isUnused(tenant("a"));
        room.isUnused(tenant("b"));
        room.trim();
        assertThat(given).isEmpty();
    }

    @Test
    void beyondTheLongestUnusedGoFirst() {
        CellRoom.Tenant a = tenant("a");
        room.isUnused(a);
        room.isUnused(tenant("b"));
        room.isUsed(a);
        room.isUnused(a);
        room.isUnused(tenant("c"));
        room.isUnused(tenant("d"));
        room.trim();
        assertThat(given).containsExactly("b", "a");
    }

    @Test
    void oneThatIsUsedOrGoneIsNotAskedFor() {
        CellRoom.Tenant a = tenant("a");
        CellRoom.Tenant b = tenant("b");
        room.isUnused(a);
        room.isUnused(b);
        room.isUsed(a);
        room.hasNone(b);
        room.isUnused(tenant("c"));
        room.isUnused(tenant("d"));
        room.isUnused(tenant("e"));
        room.trim();
        assertThat(given).containsExactly("c");
    }
}
