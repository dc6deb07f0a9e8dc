package ai.hanzo.dev.host.model;

/**
 * Told of a model's answer while it comes. The pieces are for showing only: what counts is the
 * outcome. Called on the thread that asks, and never after {@code ask} has returned; must not
 * block.
 */
public interface DeltaListener {
    /** Hears nothing. */
    DeltaListener NONE =
            new DeltaListener() {
                @Override
                public void text(String piece) {}
            };

    /** More text; a piece never splits a character (a surrogate pair). */
    void text(String piece);

    /**
     * More of the arguments of a call.
     *
     * @param index of the call in the reply, from 0
     */
    default void call(int index, String tool, String piece) {}

    /** What has been told of this answer so far is void: the provider is asked again. */
    default void restart() {}
}
