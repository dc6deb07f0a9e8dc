package ai.hanzo.dev.workspace;

/** Stands where a body is on its way; gone with the next commit of this module. */
final class Pending {
    private Pending() {}

    @SuppressWarnings("TypeParameterUnusedInFormals")
    static <T> T body(String what) {
        if (!what.isEmpty()) {
            throw new UnsupportedOperationException(what);
        }
        throw new IllegalArgumentException("name what is pending");
    }
}
