package ai.hanzo.dev.policy;

/** What the host's git argument check says of an argument vector. */
public sealed interface GitUse {

    /** The action is no git action. */
    record None() implements GitUse {}

    /** Only looks: status, diff, log, show and the like. */
    record Inert() implements GitUse {}

    /** Changes the repository or the work tree, and nothing else. */
    record Local() implements GitUse {}

    /**
     * Talks to another repository: push, fetch, clone and the like.
     *
     * @param what in a few words: {@code push to origin}
     */
    record Outward(String what) implements GitUse {}

    /**
     * Cannot be judged, or could run a program of its own.
     *
     * @param why in a few words
     */
    record Unclear(String why) implements GitUse {}
}
