package ai.hanzo.dev.host.model;

import java.util.List;
import java.util.Optional;

/**
 * What LangChain4j's readers of a provider's stream do not look at: whether the stream came to its
 * end, errors in the middle of it, and shapes that they would misread. One per try, used by one
 * thread.
 */
interface Dialect {

    /** The event as the reader behind can take it; none, one or several. */
    List<SseReader.SseEvent> normalised(SseReader.SseEvent event);

    /** The error that the stream has told of, if it has. */
    Optional<Fault> fault();

    /** Whether the stream said that the reply is whole. */
    boolean isComplete();

    /** Why the reply ends; only after {@link #isComplete}. */
    Endpoint.Ending ending();
}
