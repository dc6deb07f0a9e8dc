package ai.hanzo.dev.policy;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.id.ActionId;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PolicyPropertyTest {

    private static final Rules LS = Inputs.allowing("ls", "ls **", "echo **", ":");

    @Property
    void aDecisionDependsOnItsArgumentsAlone(
            @ForAll("scripts") String script, @ForAll("presets") String preset) {
        Decision first = Inputs.decide(Rules.preset(preset), Inputs.exec("sh", "-c", script));
        Decision other =
                Policy.decide(
                        new PolicyInput(
                                Rules.preset(preset),
                                new Action(new ActionId(99), Inputs.exec("sh", "-c", script)),
                                Facts.of("/home/ada/project")));
        assertThat(other).isEqualTo(first);
    }

    @Property(tries = 3000)
    void anyTextGivesADecisionAndNeverAnythingElse(@ForAll String script) {
        assertThat(Inputs.sh(LS, script)).isNotNull();
        assertThat(Inputs.decide(LS, Inputs.browse(script, script)).verdict())
                .isEqualTo(Verdict.BLOCK);
        assertThat(Inputs.decide(LS, Inputs.write(script)).verdict()).isEqualTo(Verdict.BLOCK);
    }

    @Property(tries = 3000)
    void aCommandIsFoundWhereverItStands(@ForAll("around") String script) {
        assertThat(Inputs.sh(LS, script)).as(script).isEqualTo(Verdict.BLOCK);
    }

    @Property(tries = 1000)
    void rulesTextIsReadOrRefusedByOneException(@ForAll("ruleTexts") String text) {
        try {
            assertThat(Rules.parse("t", text).digest()).hasSize(64);
        } catch (RulesException e) {
            assertThat(e.line()).isPositive();
        }
    }

    @Provide
    Arbitrary<String> presets() {
        return Arbitraries.of("read-only", "workspace", "full");
    }

    @Provide
    Arbitrary<String> scripts() {
        return Arbitraries.of(
                        "ls",
                        "rm f",
                        ";",
                        "\n",
                        "|",
                        "&&",
                        "$(",
                        ")",
                        "`",
                        "'",
                        "\"",
                        "${x",
                        "}",
                        "(",
                        "{ ",
                        "if",
                        "then",
                        "fi",
                        "for x in",
                        "do",
                        "done",
                        "<<E",
                        "E\n",
                        ">",
                        " ",
                        "\\",
                        "case",
                        "esac",
                        "$((",
                        "))",
                        "eval",
                        "env",
                        "[[",
                        "]]",
                        "#")
                .list()
                .ofMaxSize(12)
                .map(l -> String.join(" ", l));
    }

    /** "rm f" wrapped again and again in constructs that run it. */
    @Provide
    Arbitrary<String> around() {
        Arbitrary<String> frame =
                Arbitraries.of(
                        "ls; %s",
                        "%s; ls",
                        "ls | %s",
                        "%s | ls",
                        "ls && %s",
                        "( %s )",
                        "{ %s; }",
                        "echo $( %s )",
                        "echo \"$( %s )\"",
                        "x=$( %s )",
                        "if ls; then %s; fi",
                        "if %s; then ls; fi",
                        "while ls; do %s; done",
                        "for i in a; do %s; done",
                        "case a in a) %s;; esac",
                        "ls\n%s\nls",
                        "! %s",
                        "%s &",
                        "echo <( %s )",
                        "echo ${y:-$( %s )}",
                        "echo <<E\n$( %s )\nE\n",
                        "ls <<'E'\nx'y\nE\n%s",
                        "f() { %s; }",
                        "time %s",
                        "%s > /dev/null",
                        "ls # x'\n%s");
        return Combinators.combine(
                        frame.list().ofMinSize(1).ofMaxSize(4),
                        Arbitraries.of("rm f", "\\rm f", "r'm' f"))
                .as(PolicyPropertyTest::nest);
    }

    private static String nest(List<String> frames, String command) {
        String script = command;
        for (String frame : frames) {
            script = frame.replace("%s", script);
        }
        return script;
    }

    @Provide
    Arbitrary<String> ruleTexts() {
        return Arbitraries.of(
                        "rules:",
                        "\n",
                        "  ",
                        "- ",
                        "op: exec",
                        "verdict: allow",
                        "{",
                        "}",
                        "[",
                        "]",
                        "'",
                        "\"",
                        ":",
                        "#",
                        "name: a",
                        "---",
                        "\t",
                        ",",
                        "argv: ls",
                        "*")
                .list()
                .ofMaxSize(15)
                .map(l -> String.join("", l));
    }
}
