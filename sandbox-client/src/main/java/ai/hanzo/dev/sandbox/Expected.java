package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Sha256;

/** What a change expects to find at its path; anything else there and the change is refused. */
public sealed interface Expected {

    /** Whatever is there, or nothing. */
    record Anything() implements Expected {}

    /** Nothing is there. */
    record Nothing() implements Expected {}

    /** A file whose content has this digest. */
    record Content(Sha256 sha256) implements Expected {}

    static Expected anything() {
        return new Anything();
    }

    static Expected nothing() {
        return new Nothing();
    }

    static Expected content(Sha256 sha256) {
        return new Content(sha256);
    }
}
