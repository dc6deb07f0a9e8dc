package ai.hanzo.dev.host.stream;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.model.DeltaListener;
import ai.hanzo.dev.host.op.v1.Delta;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.id.Uuid7;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeltasTest {
    private final Deltas deltas = new Deltas();
    private final SessionId session =
            SessionId.next(new Uuid7(Clock.systemUTC(), new SecureRandom()));
    private final ActionId ask = new ActionId(3);
    private final List<Delta> heard = new ArrayList<>();

    @Test
    void whoJoinsLateHearsWhatWasSaidAndThenTheRest() {
        DeltaListener says = deltas.of(session, Optional.of(new TurnId(1)), ask);
        says.text("Bon");
        says.text("jour");
        Runnable leave = deltas.follow(session, heard::add);
        says.text(" le monde");
        leave.run();
        says.text("!");
        assertThat(heard).extracting(Delta::getText).containsExactly("Bonjour", " le monde");
        assertThat(heard).extracting(Delta::getOffset).containsExactly(0, 7);
        assertThat(heard).extracting(Delta::getAction).containsOnly(3);
    }

    @Test
    void whatHasEndedIsNotSaidAgain() {
        deltas.of(session, Optional.empty(), ask).text("Bonjour");
        deltas.ended(session, ask);
        deltas.follow(session, heard::add);
        assertThat(heard).isEmpty();
    }
}
