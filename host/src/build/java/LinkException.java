/** A module cannot be linked; the message says why. */
final class LinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LinkException(String why) {
        super("CoreLinker: " + why);
    }
}
