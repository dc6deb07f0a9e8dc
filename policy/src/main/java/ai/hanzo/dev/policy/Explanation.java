package ai.hanzo.dev.policy;

import java.util.List;

/**
 * A decision with the way to it.
 *
 * @param steps one per thing judged: an exec has one for each command of its line, anything else
 *     one
 */
public record Explanation(Decision decision, List<Step> steps) {

    public Explanation {
        steps = List.copyOf(steps);
    }

    /**
     * One thing that was judged.
     *
     * @param subject as people read it: {@code rm -rf build}
     * @param tried the rules that were looked at, in order, with what came of it
     */
    public record Step(String subject, Verdict verdict, String rule, List<String> tried) {
        public Step {
            tried = List.copyOf(tried);
        }
    }
}
