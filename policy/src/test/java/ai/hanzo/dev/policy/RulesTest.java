package ai.hanzo.dev.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RulesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "2 | UNKNOWN | rules: []\\nrulez: []",
                "1 | UNKNOWN | version: 2\\nrules: []",
                "1 | INVALID | name: x",
                "2 | UNKNOWN | rules:\\n  - {op: exe, verdict: allow}",
                "2 | UNKNOWN | rules:\\n  - {op: save, verdict: block}",
                "2 | UNKNOWN | rules:\\n  - {op: exec, verdict: maybe}",
                "3 | UNKNOWN | rules:\\n  - op: exec\\n    verdict: permit",
                "4 | UNKNOWN | rules:\\n  - op: exec\\n    verdict: allow\\n    argw: x",
                "2 | INVALID | rules:\\n  - op: exec",
                "2 | INVALID | rules:\\n  - verdict: allow",
                "3 | INVALID | rules:\\n  - op: read\\n    argv: x\\n    verdict: allow",
                "2 | INVALID | rules:\\n  - {op: exec, argv: 'x ** y', verdict: allow}",
                "2 | INVALID | rules:\\n  - {op: exec, argv: '**', verdict: allow}",
                "2 | INVALID | rules:\\n  - {op: browse, url: example.com, verdict: allow}",
                "2 | INVALID | rules:\\n  - {op: read, path: 'a[', verdict: allow}",
                "2 | INVALID | rules:\\n  - {op: exec, argv: x, unclear: true, verdict: allow}",
                "3 | INVALID | rules:\\n  - {name: a, op: exec, verdict: allow}\\n  - {name: a, op: git, verdict: allow}",
                "2 | SYNTAX  | rules:\\n\\t- {op: exec}",
                "3 | SYNTAX  | rules:\\n  - op: exec\\n    argv: *x",
                "3 | SYNTAX  | rules:\\n  - op: exec\\n    reason: a: b",
                "3 | SYNTAX  | rules:\\n  - op: exec\\n    op: read",
                "3 | SYNTAX  | rules:\\n  - op: exec\\n   verdict: allow",
                "2 | SYNTAX  | rules:\\n  - {op: exec, verdict: allow",
                "2 | SYNTAX  | rules:\\n  - {op: exec verdict: allow}",
                "1 | SYNTAX  | rules: 'x",
                "1 | SYNTAX  | rules: x",
                "1 | SYNTAX  | ~~",
                "2 | SYNTAX  | rules: []\\n---\\nrules: []",
                "3 | UNKNOWN | {\"rules\": [\\n {\"op\": \"exec\",\\n \"verdikt\": \"allow\"}]}",
            })
    void whatIsNotUnderstoodIsRefusedWithItsLine(int line, RulesException.Code code, String text) {
        assertThatThrownBy(() -> Rules.parse("t", text.replace("\\n", "\n").replace("\\t", "\t")))
                .isInstanceOfSatisfying(
                        RulesException.class,
                        e -> assertThat(List.of(e.line(), e.code())).isEqualTo(List.of(line, code)))
                .hasMessageStartingWith("Rules, line " + line + ": ");
    }

    @Test
    void yamlAndJsonSayTheSame() {
        Rules yaml =
                Rules.parse(
                        "t",
                        """
                        # a comment
                        version: 1
                        name: t
                        rules:
                        - name: a   # another
                          op:
                            - exec
                          argv:
                          - "git push **"
                          - 'it''s'
                          verdict: block
                          reason: "say \\"no\\""
                        - {op: [read, list], path: [src/**,
                             "# x"], verdict: allow}
                        """);
        Rules json =
                Rules.parse(
                        "t",
                        """
                        {"version": 1, "name": "t", "rules": [
                          {"name": "a", "op": ["exec"], "argv": ["git push **", "it's"],
                           "verdict": "block", "reason": "say \\"no\\""},
                          {"op": ["read", "list"], "path": ["src/**", "# x"], "verdict": "allow"}]}
                        """);
        assertThat(yaml).isEqualTo(json);
        assertThat(yaml.rules()).isEqualTo(json.rules());
    }

    @Test
    void theDigestPinsEveryPart() {
        String text = "rules:\n  - {name: a, op: exec, argv: ls, verdict: allow, reason: x}";
        String digest = Rules.parse("t", text).digest();
        assertThat(digest).isEqualTo(Rules.parse("t", text + "  # comment").digest()).hasSize(64);
        for (String other :
                List.of(
                        text.replace("ls", "l"),
                        text.replace("allow", "observe"),
                        text.replace("reason: x", "reason: y"),
                        text.replace("name: a", "name: b"),
                        text.replace("op: exec, argv: ls", "op: git"),
                        "extends: full\n" + text)) {
            assertThat(Rules.parse("t", other).digest()).isNotEqualTo(digest);
        }
        assertThat(Rules.preset("workspace").digest())
                .isEqualTo(Rules.preset("workspace").digest());
    }

    @Test
    void theSourceGivesTheSameRules() {
        for (String name : List.of("read-only", "workspace", "full")) {
            Rules preset = Rules.preset(name);
            assertThat(Rules.parse(name, preset.source())).isEqualTo(preset);
        }
    }

    @Test
    void anUnknownPresetIsNamed() {
        assertThatThrownBy(() -> Rules.preset("yolo"))
                .hasMessage(
                        "There is no policy 'yolo': use read-only, workspace, full, or the path of"
                                + " a rules file.");
    }
}
