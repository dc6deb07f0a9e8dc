package ai.hanzo.dev.policy;

import ai.hanzo.dev.protocol.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides about actions. A pure function: equal arguments give equal decisions, on every machine
 * and at any time. Any thread; never throws for an action of any content.
 *
 * <p>An operation is taken apart into {@link Subject}s: each command of a shell line, each file of
 * a patch. For each one the first rule that speaks of it decides; the strictest verdict is the
 * decision. Where an earlier, stricter rule might have meant the subject, and that shows only when
 * it runs, a person is asked.
 */
public final class Policy {

    private Policy() {}

    /** The decision. What no rule covers, or what the host has no handler for, is blocked. */
    public static Decision decide(PolicyInput input) {
        return explain(input).decision();
    }

    /** The decision with its trace, for {@code hanzo dev policy explain}. */
    public static Explanation explain(PolicyInput input) {
        Op op = input.action().op();
        OpKind kind = OpKind.of(op);
        Facts facts = input.facts();
        String digest = input.rules().digest();
        if (!facts.hasHandler()) {
            return fixed(
                    Verdict.BLOCK, "core/no-handler", "This host cannot do that.", kind, digest);
        }
        if (kind.isOwn()) {
            return fixed(Verdict.ALLOW, "core/own", "The session's own.", kind, digest);
        }
        if (facts.isReadOnly() && isWriting(kind, facts)) {
            return fixed(
                    Verdict.BLOCK,
                    "core/read-only",
                    "The workspace is read-only in this session.",
                    kind,
                    digest);
        }
        List<Judged> judged = new ArrayList<>();
        for (Subject subject : Subjects.of(op, facts)) {
            judged.add(judge(subject, input.rules(), facts));
        }
        return conclude(judged, op, facts, digest);
    }

    private static boolean isWriting(OpKind kind, Facts facts) {
        return kind.isWriting() || (kind == OpKind.GIT && !(facts.git() instanceof GitUse.Inert));
    }

    private static Explanation fixed(
            Verdict verdict, String rule, String reason, OpKind kind, String digest) {
        Decision decision = new Decision(verdict, rule, reason, digest);
        return new Explanation(
                decision, List.of(new Explanation.Step(kind.text(), verdict, rule, List.of(rule))));
    }

    private record Judged(
            Subject subject, Verdict verdict, String rule, String reason, List<String> tried) {}

    private static Judged judge(Subject subject, Rules rules, Facts facts) {
        List<String> tried = new ArrayList<>();
        Optional<Rule> doubted = Optional.empty();
        for (Rule rule : rules.rules()) {
            Match match = rule.matches(subject, facts, doubted.isPresent());
            if (match == Match.NO) {
                continue;
            }
            tried.add(
                    rule.name() + ": " + (match == Match.YES ? rule.verdict().text() : "perhaps"));
            if (match == Match.YES) {
                return settle(subject, rule, doubted, tried);
            }
            if (doubted.isEmpty() || rule.verdict().compareTo(doubted.get().verdict()) > 0) {
                doubted = Optional.of(rule);
            }
        }
        tried.add("core/no-rule: block");
        return new Judged(
                subject,
                Verdict.BLOCK,
                "core/no-rule",
                "No rule allows '" + subject.text() + "'.",
                tried);
    }

    private static Judged settle(
            Subject subject, Rule rule, Optional<Rule> doubted, List<String> tried) {
        boolean asks =
                doubted.isPresent()
                        && !rule.conditions().isUnclear()
                        && rule.verdict().isDispatched()
                        && doubted.get().verdict().compareTo(rule.verdict()) > 0;
        if (asks) {
            Rule stricter = doubted.orElseThrow();
            Verdict verdict =
                    stricter.verdict() == Verdict.BLOCK
                            ? Verdict.REQUIRE_EXPERT_APPROVAL
                            : stricter.verdict();
            return new Judged(
                    subject,
                    verdict,
                    stricter.name(),
                    "'"
                            + subject.text()
                            + "' might fall under "
                            + stricter.name()
                            + "; that shows only when it runs.",
                    tried);
        }
        return new Judged(subject, rule.verdict(), rule.name(), reason(subject, rule), tried);
    }

    private static String reason(Subject subject, Rule rule) {
        if (!rule.reason().isEmpty()) {
            return rule.reason();
        }
        return switch (rule.verdict()) {
            case ALLOW, OBSERVE -> "The rule " + rule.name() + " allows it.";
            case REQUIRE_EXPERT_APPROVAL, REQUIRE_CLIENT_APPROVAL ->
                    "'" + subject.text() + "' needs an approval by the rule " + rule.name() + ".";
            case BLOCK -> "'" + subject.text() + "' is forbidden by the rule " + rule.name() + ".";
        };
    }

    private static Explanation conclude(List<Judged> judged, Op op, Facts facts, String digest) {
        Judged worst = judged.getFirst();
        for (Judged j : judged) {
            if (j.verdict().compareTo(worst.verdict()) > 0) {
                worst = j;
            }
        }
        List<Explanation.Step> steps =
                judged.stream()
                        .map(j ->
                                new Explanation.Step(
                                        j.subject().text(), j.verdict(), j.rule(), j.tried()))
                        .toList();
        if (worst.verdict().isApproval()) {
            for (Grant grant : facts.grants()) {
                if (grant.covers(op)) {
                    String reason = "Approved earlier for the rest of the session.";
                    return new Explanation(
                            new Decision(Verdict.ALLOW, "grant/" + grant.id(), reason, digest),
                            steps);
                }
            }
        }
        return new Explanation(
                new Decision(worst.verdict(), worst.rule(), worst.reason(), digest), steps);
    }
}
