package ai.hanzo.dev.host.surface.cli;

/** How a command ends; published in the usage text. */
enum Exit {
    /** Done. */
    COMPLETE(0),
    /** Tried and failed. */
    FAILED(1),
    /** The command line cannot be. */
    USAGE(2),
    /** Waits for a person, or a person or the policy said no. */
    NEEDS_APPROVAL(3),
    /** Cancelled: 128 + SIGINT. */
    CANCELLED(130);

    private final int code;

    Exit(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
