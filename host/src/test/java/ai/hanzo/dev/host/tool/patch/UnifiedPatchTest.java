package ai.hanzo.dev.host.tool.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import ai.hanzo.dev.protocol.Bytes;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Unified diffs: what the reference is known to get wrong (E17 to E21), and its invariant 78. */
class UnifiedPatchTest {

    private static final String HEAD = "--- a/f\n+++ b/f\n";

    @ParameterizedTest(name = "{0}")
    @MethodSource("applied")
    void applies(String name, Map<String, String> before, String patch, Map<String, String> after) {
        Tree tree = tree(before);
        assertThat(tree.apply(patch)).isEmpty();
        assertThat(tree.contents()).isEqualTo(after);
    }

    private static final List<Arguments> APPLIED =
            List.of(
                    arguments(
                            "a line",
                            Map.of("f", "a\nb\nc\n"),
                            HEAD + "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
                            Map.of("f", "a\nB\nc\n")),
                    arguments(
                            "two files, one created",
                            Map.of("f", "a\n"),
                            HEAD
                                    + "@@ -1 +1 @@\n"
                                    + "-a\n"
                                    + "+A\n"
                                    + "--- /dev/null\n"
                                    + "+++ b/n\n"
                                    + "@@ -0,0 +1,2 @@\n"
                                    + "+x\n"
                                    + "+y\n",
                            Map.of("f", "A\n", "n", "x\ny\n")),
                    arguments(
                            "a deletion",
                            Map.of("f", "a\nb\n"),
                            "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n",
                            Map.of()),
                    arguments(
                            "two hunks",
                            Map.of("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"),
                            HEAD + "@@ -1,2 +1,3 @@\n 1\n+1.5\n 2\n@@ -8,2 +9,1 @@\n-8\n 9\n",
                            Map.of("f", "1\n1.5\n2\n3\n4\n5\n6\n7\n9\n")),
                    arguments(
                            "names without prefixes",
                            Map.of("a/f", "a\n"),
                            "--- a/f\n+++ a/f\n@@ -1 +1 @@\n-a\n+A\n",
                            Map.of("a/f", "A\n")),
                    arguments(
                            "names with times",
                            Map.of("f", "a\n"),
                            """
                            --- f\t2026-01-01 00:00:00
                            +++ f\t2026-01-01 00:00:01
                            @@ -1 +1 @@
                            -a
                            +A
                            """,
                            Map.of("f", "A\n")),
                    arguments(
                            "git's own headers",
                            Map.of("f", "a\n"),
                            "diff --git a/f b/f\nindex 78981922..f70f10e4 100644\n"
                                    + HEAD
                                    + "@@ -1 +1 @@\n-a\n+A\n",
                            Map.of("f", "A\n")),
                    arguments(
                            "an empty new file",
                            Map.of(),
                            """
                            diff --git a/e e b/e e
                            new file mode 100644
                            index 00000000..e69de29b
                            """,
                            Map.of("e e", "")),
                    arguments(
                            "an empty deleted file",
                            Map.of("e", ""),
                            """
                            diff --git a/e b/e
                            deleted file mode 100644
                            index e69de29b..00000000
                            """,
                            Map.of()),
                    arguments(
                            "a quoted name",
                            Map.of("\u00e9 \"q\"", "a\n"),
                            """
                            --- "a/\\303\\251 \\"q\\""
                            +++ "b/\\303\\251 \\"q\\""
                            @@ -1 +1 @@
                            -a
                            +A
                            """,
                            Map.of("\u00e9 \"q\"", "A\n")),
                    arguments(
                            "E18: a removed line that looks like a header",
                            Map.of("f", "-- old\n++ x\nend\n"),
                            HEAD + "@@ -1,3 +1,2 @@\n--- old\n-++ x\n+++ y\n end\n",
                            Map.of("f", "++ y\nend\n")),
                    arguments(
                            "lines shifted as a whole",
                            Map.of("f", "x\ny\na\nb\nc\n"),
                            HEAD + "@@ -1,2 +1,2 @@\n-a\n+A\n b\n",
                            Map.of("f", "x\ny\nA\nb\nc\n")),
                    arguments(
                            "the stated line decides between twins",
                            Map.of("f", "s\nt\ns\nt\n"),
                            HEAD + "@@ -3,2 +3,2 @@\n-s\n+S\n t\n",
                            Map.of("f", "s\nt\nS\nt\n")),
                    arguments(
                            "the second hunk shifts with the first",
                            Map.of("f", "0\na\ns\nb\ns\n"),
                            HEAD + "@@ -1,1 +1,1 @@\n-a\n+A\n@@ -4,1 +4,1 @@\n-s\n+S\n",
                            Map.of("f", "0\nA\ns\nb\nS\n")),
                    arguments(
                            "no newline, said",
                            Map.of("f", "a\nb"),
                            HEAD
                                    + "@@ -1,2 +1,2 @@\n"
                                    + " a\n"
                                    + "-b\n"
                                    + "\\ No newline at end of file\n"
                                    + "+B\n"
                                    + "\\ No newline at end of file\n",
                            Map.of("f", "a\nB")),
                    arguments(
                            "a newline is added, said",
                            Map.of("f", "a"),
                            HEAD + "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n",
                            Map.of("f", "a\n")),
                    arguments(
                            "a newline is taken, said",
                            Map.of("f", "a\n"),
                            HEAD + "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n",
                            Map.of("f", "a")),
                    arguments(
                            "P2: no newline, not said",
                            Map.of("f", "a\nb"),
                            HEAD + "@@ -1,2 +1,2 @@\n-a\n+A\n b\n",
                            Map.of("f", "A\nb")),
                    arguments(
                            "P1: CRLF kept",
                            Map.of("f", "foo\r\nbar\r\n"),
                            HEAD + "@@ -1,2 +1,2 @@\n-foo\n+FOO\n bar\n",
                            Map.of("f", "FOO\r\nbar\r\n")),
                    arguments(
                            "CRLF in the diff of a CRLF file",
                            Map.of("f", "foo\r\nbar\r\n"),
                            HEAD + "@@ -1,2 +1,2 @@\n-foo\r\n+FOO\r\n bar\r\n",
                            Map.of("f", "FOO\r\nbar\r\n")),
                    arguments(
                            "an empty line for empty context",
                            Map.of("f", "\na\n"),
                            HEAD + "@@ -1,2 +1,2 @@\n\n-a\n+A\n",
                            Map.of("f", "\nA\n")),
                    arguments(
                            "an empty file filled",
                            Map.of("f", ""),
                            HEAD + "@@ -0,0 +1 @@\n+a\n",
                            Map.of("f", "a\n")));

    static Stream<Arguments> applied() {
        return APPLIED.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void refuses(String name, Map<String, String> before, String patch, String reason) {
        Tree tree = tree(before);
        assertThat(tree.apply(patch)).contains(reason);
        assertThat(tree.contents()).isEqualTo(before);
    }

    private static final Map<String, String> ABC = Map.of("f", "a\nb\nc\n");

    private static final List<Arguments> REFUSED =
            List.of(
                    arguments(
                            "E17: a diff cut off in mid-hunk",
                            ABC,
                            HEAD + "@@ -1,3 +1,3 @@\n a\n-b\n+B\n",
                            "ends inside hunk 1 (line 3 of the patch)"),
                    arguments(
                            "E17: more lines than counted",
                            ABC,
                            HEAD + "@@ -1,2 +1,2 @@\n a\n-b\n+B\n c\n",
                            "Check the counts"),
                    arguments(
                            "E17: counts that do not add up",
                            ABC,
                            HEAD + "@@ -1,1 +1,2 @@\n-a\n-b\n+B\n c\n",
                            "do not add up"),
                    arguments(
                            "E19: a creation over a file",
                            ABC,
                            "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n",
                            "creates f, which exists"),
                    arguments(
                            "E20: a stale deletion",
                            ABC,
                            "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n",
                            "not what the patch says"),
                    arguments(
                            "a second deletion",
                            Map.of(),
                            "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
                            "f does not exist"),
                    arguments(
                            "E21: a binary section",
                            ABC,
                            "diff --git a/p b/p\nBinary files a/p and b/p differ\n"
                                    + HEAD
                                    + "@@ -1 +1 @@\n-a\n+A\n",
                            "binary file"),
                    arguments(
                            "E21: a link's mode",
                            ABC,
                            """
                            diff --git a/l b/l
                            new file mode 120000
                            --- /dev/null
                            +++ b/l
                            @@ -0,0 +1 @@
                            +f
                            \\ No newline at end of file
                            """,
                            "not about a plain file"),
                    arguments(
                            "E21: a mode that is not so",
                            ABC,
                            "diff --git a/f b/f\nold mode 100755\nnew mode 100644\n",
                            "has mode 644, not 755"),
                    arguments(
                            "a rename by headers",
                            ABC,
                            """
                            diff --git a/f b/g
                            similarity index 100%
                            rename from f
                            rename to g
                            """,
                            "renames or copies"),
                    arguments(
                            "a rename by names",
                            ABC,
                            "--- a/f\n+++ b/g\n@@ -1 +1 @@\n-a\n+A\n",
                            "renames nothing"),
                    arguments(
                            "prefixes that disagree",
                            Map.of("f", "a\n", "g", "b\n"),
                            HEAD + "@@ -1 +1 @@\n-a\n+A\n--- g\n+++ g\n@@ -1 +1 @@\n-b\n+B\n",
                            "on all names or on none"),
                    arguments(
                            "git's line and the names disagree",
                            ABC,
                            "diff --git a/g b/g\n" + HEAD + "@@ -1 +1 @@\n-a\n+A\n",
                            "do not agree"),
                    arguments(
                            "one misfit spoils both files",
                            Map.of("f", "a\n", "g", "b\n"),
                            HEAD + "@@ -1 +1 @@\n-a\n+A\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-q\n+B\n",
                            "line 1 should be \"q\", but is \"b\""),
                    arguments(
                            "P5: like places, both named",
                            Map.of(
                                    "f",
                                    "0\n1\n2\n3\n4\n5\n6\n7\n8\ns\n" + "-\n".repeat(29) + "s\n"),
                            HEAD + "@@ -20,1 +20,1 @@\n-s\n+S\n",
                            "is ambiguous, lines 10 and 40"),
                    arguments(
                            "an addition without context",
                            ABC,
                            HEAD + "@@ -2,0 +3 @@\n+x\n",
                            "none of context"),
                    arguments(
                            "a path that leads out",
                            ABC,
                            "--- a/../f\n+++ b/../f\n@@ -1 +1 @@\n-a\n+A\n",
                            "not a file in the workspace"),
                    arguments(
                            "an absolute path",
                            ABC,
                            "--- /f\n+++ /f\n@@ -1 +1 @@\n-a\n+A\n",
                            "relative to the workspace"),
                    arguments(
                            "one file twice",
                            ABC,
                            HEAD
                                    + "@@ -1 +1 @@\n"
                                    + "-a\n"
                                    + "+A\n"
                                    + "--- a/./f\n"
                                    + "+++ b/./f\n"
                                    + "@@ -2 +2 @@\n"
                                    + "-b\n"
                                    + "+B\n",
                            "more than once"),
                    arguments(
                            "a hunk header that is none",
                            ABC,
                            HEAD + "@@ -1 +x @@\n-a\n+A\n",
                            "no hunk header"),
                    arguments("a file without hunk", ABC, HEAD, "has no hunk"),
                    arguments(
                            "half a file header",
                            ABC,
                            "--- a/f\n@@ -1 +1 @@\n-a\n+A\n",
                            "should begin with \"+++ \""),
                    arguments(
                            "words before the diff",
                            ABC,
                            "Here it is:\n" + HEAD + "@@ -1 +1 @@\n-a\n+A\n",
                            "no part of a unified diff: \"Here it is:\""),
                    arguments(
                            "words behind the diff",
                            ABC,
                            HEAD + "@@ -1 +1 @@\n-a\n+A\n\nDone.\n",
                            "no part of a unified diff"),
                    arguments(
                            "a no-newline mark in the middle",
                            ABC,
                            HEAD
                                    + "@@ -1,2 +1,2 @@\n"
                                    + "-a\n"
                                    + "\\ No newline at end of file\n"
                                    + "-b\n"
                                    + "+x\n"
                                    + "+y\n",
                            "not the last"),
                    arguments(
                            "a no-newline mark on a file that has one",
                            ABC,
                            HEAD + "@@ -3 +3 @@\n-c\n\\ No newline at end of file\n+C\n",
                            "not where and how the file ends"),
                    arguments(
                            "lines beyond the end",
                            ABC,
                            HEAD + "@@ -3,2 +3,1 @@\n c\n-d\n",
                            "line 4 should be \"d\", but the file has 3 lines"),
                    arguments("nothing", ABC, "\n\n", "The patch is empty"));

    static Stream<Arguments> refused() {
        return REFUSED.stream();
    }

    @Test
    void modesAreAppliedToTheExecuteBitsAlone() {
        Tree tree = new Tree().put("f", Bytes.utf8("a\n"), 0640);
        assertThat(tree.apply("diff --git a/f b/f\nold mode 100644\nnew mode 100755\n")).isEmpty();
        assertThat(tree.mode("f")).isEqualTo(0750);
        assertThat(tree.contents()).isEqualTo(Map.of("f", "a\n"));
        assertThat(
                        tree.apply(
                                """
                                diff --git a/s b/s
                                new file mode 100755
                                --- /dev/null
                                +++ b/s
                                @@ -0,0 +1 @@
                                +#!/bin/sh
                                """))
                .isEmpty();
        assertThat(tree.mode("s")).isEqualTo(0755);
    }

    private static Tree tree(Map<String, String> files) {
        Tree tree = new Tree();
        files.forEach((path, content) -> tree.put(path, Bytes.utf8(content), 0644));
        return tree;
    }
}
