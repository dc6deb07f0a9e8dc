package ai.hanzo.dev.host.session;

/**
 * The core ate an outcome at a place of the journal that another host's entry has by now. The
 * outcome is behind it; the session is rebuilt, at once, as the journal says.
 */
final class Overtaken extends RuntimeException {
    private static final long serialVersionUID = 1;

    Overtaken(String session) {
        super("session " + session + " has an entry that came in between");
    }
}
