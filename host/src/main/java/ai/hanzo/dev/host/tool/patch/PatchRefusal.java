package ai.hanzo.dev.host.tool.patch;

/** How the parts of this package say no to each other; {@link Patch} turns it into a value. */
final class PatchRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private PatchRefusal(String message) {
        super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }

    /** A sentence for the model, in the way of {@link String#format}. */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation is in a library that we do not use
    static PatchRefusal of(String format, Object... arguments) {
        return new PatchRefusal(format.formatted(arguments));
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}
