package ai.hanzo.dev.host.session;

/** Another host owns the session by now: its loop here ends at once and writes nothing more. */
final class Fenced extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Fenced(String what) {
        super(what, null, false, false);
    }
}
