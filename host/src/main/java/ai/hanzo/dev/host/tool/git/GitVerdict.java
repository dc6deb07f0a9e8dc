package ai.hanzo.dev.host.tool.git;

import static java.util.Objects.requireNonNull;

/**
 * What a git command amounts to, from harmless to never. Policy decides; where it knows no git, it
 * takes {@link Look} for a read, {@link Change} for a write, {@link Exec} for an exec, and {@link
 * Outward} for something that leaves the machine.
 */
public sealed interface GitVerdict {

    /** It only looks at the repository. */
    record Look() implements GitVerdict {}

    /** It changes work tree, index, objects or references, and runs no program that it was told. */
    record Change() implements GitVerdict {}

    /**
     * It can run any program, so it is as strong as an exec.
     *
     * @param why one sentence
     */
    record Exec(String why) implements GitVerdict {
        public Exec {
            requireNonNull(why, "why");
        }
    }

    /**
     * It speaks with another machine, or changes another repository.
     *
     * @param why one sentence
     */
    record Outward(String why) implements GitVerdict {
        public Outward {
            requireNonNull(why, "why");
        }
    }

    /**
     * It is never run: it makes no sense, or reaches out of the workspace.
     *
     * @param why one sentence that says what to do instead
     */
    record Refused(String why) implements GitVerdict {
        public Refused {
            requireNonNull(why, "why");
        }
    }

    /** The stronger of two: refused over exec over outward over change over look. */
    static GitVerdict stronger(GitVerdict one, GitVerdict other) {
        return rank(one) >= rank(other) ? one : other;
    }

    private static int rank(GitVerdict verdict) {
        return switch (verdict) {
            case Look _ -> 0;
            case Change _ -> 1;
            case Outward _ -> 2;
            case Exec _ -> 3;
            case Refused _ -> 4;
        };
    }
}
