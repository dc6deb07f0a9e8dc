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

/**
 * Field cases P1 to P13 in the {@code *** Begin Patch} form: a tree, a patch, the tree after it.
 */
class BeginPatchTest {

    private static final String TWINS =
            "int a() {\n  int x = 1;\n  return x;\n}\nint b() {\n  int x = 2;\n  return x;\n}\n";

    @ParameterizedTest(name = "{0}")
    @MethodSource("applied")
    void applies(String name, Map<String, String> before, String body, Map<String, String> after) {
        Tree tree = tree(before);
        assertThat(tree.apply(envelope(body))).isEmpty();
        assertThat(tree.contents()).isEqualTo(after);
    }

    private static final List<Arguments> APPLIED =
            List.of(
                    arguments(
                            "adds a file",
                            Map.of(),
                            "*** Add File: d/n\n+a\n+\n+b\n",
                            Map.of("d/n", "a\n\nb\n")),
                    arguments("adds an empty file", Map.of(), "*** Add File: n\n", Map.of("n", "")),
                    arguments(
                            "deletes a file",
                            Map.of("f", "a\n", "g", "b\n"),
                            "*** Delete File: f\n",
                            Map.of("g", "b\n")),
                    arguments(
                            "updates a line",
                            Map.of("f", "a\nb\nc\n"),
                            "*** Update File: f\n@@\n a\n-b\n+B\n c\n",
                            Map.of("f", "a\nB\nc\n")),
                    arguments(
                            "needs no @@ on the first hunk",
                            Map.of("f", "a\nb\n"),
                            "*** Update File: f\n-a\n+A\n",
                            Map.of("f", "A\nb\n")),
                    arguments(
                            "takes line numbers for none",
                            Map.of("f", "a\nb\n"),
                            "*** Update File: f\n@@ -7,2 +9,2 @@\n-b\n+B\n",
                            Map.of("f", "a\nB\n")),
                    arguments(
                            "moves a file",
                            Map.of("f", "a\n"),
                            "*** Update File: f\n*** Move to: d/g\n",
                            Map.of("d/g", "a\n")),
                    arguments(
                            "moves and changes a file",
                            Map.of("f", "a\nb\n"),
                            "*** Update File: f\n*** Move to: g\n@@\n-a\n+A\n b\n",
                            Map.of("g", "A\nb\n")),
                    arguments(
                            "applies several hunks",
                            Map.of("f", "a\nb\nc\nd\ne\nf\n"),
                            "*** Update File: f\n@@\n-a\n+A\n@@\n-e\n+E\n+EE\n",
                            Map.of("f", "A\nb\nc\nd\nE\nEE\nf\n")),
                    arguments(
                            "later hunks see only what follows",
                            Map.of("f", "x\ny\nx\n"),
                            "*** Update File: f\n@@\n-x\n+1\n y\n@@\n-x\n+2\n",
                            Map.of("f", "1\ny\n2\n")),
                    arguments(
                            "finds a hunk below its header",
                            Map.of("f", TWINS),
                            "*** Update File: f\n@@ int b() {\n-  return x;\n+  return -x;\n",
                            Map.of("f", TWINS.replace("2;\n  return x", "2;\n  return -x"))),
                    arguments(
                            "stays inside the block of its header",
                            Map.of("f", TWINS),
                            "*** Update File: f\n@@ int a() {\n-  return x;\n+  return -x;\n",
                            Map.of("f", TWINS.replace("1;\n  return x", "1;\n  return -x"))),
                    arguments(
                            "follows nested headers",
                            Map.of("f", "class A:\n def f():\n  x\nclass B:\n def f():\n  x\n"),
                            "*** Update File: f\n@@ class B:\n@@  def f():\n-  x\n+  y\n",
                            Map.of("f", "class A:\n def f():\n  x\nclass B:\n def f():\n  y\n")),
                    arguments(
                            "a header may lack the end of its line",
                            Map.of("f", "class A(B):\n x\nclass AB:\n x\n"),
                            "*** Update File: f\n@@ class A\n- x\n+ y\n",
                            Map.of("f", "class A(B):\n y\nclass AB:\n x\n")),
                    arguments(
                            "the header may be repeated as context",
                            Map.of("f", "a:\n x\nb:\n x\n"),
                            "*** Update File: f\n@@ b:\n b:\n- x\n+ y\n",
                            Map.of("f", "a:\n x\nb:\n y\n")),
                    arguments(
                            "P4: a pure addition goes under its header",
                            Map.of("f", "def a():\n 1\ndef b():\n 2\n"),
                            "*** Update File: f\n@@ def a():\n+ 0\n",
                            Map.of("f", "def a():\n 0\n 1\ndef b():\n 2\n")),
                    arguments(
                            "a pure addition goes to the end when it says so",
                            Map.of("f", "a\n"),
                            "*** Update File: f\n@@\n+b\n*** End of File\n",
                            Map.of("f", "a\nb\n")),
                    arguments(
                            "a pure addition fills an empty file",
                            Map.of("f", ""),
                            "*** Update File: f\n@@\n+b\n",
                            Map.of("f", "b\n")),
                    arguments(
                            "End of File decides between twins",
                            Map.of("f", "x\ny\nx\n"),
                            "*** Update File: f\n@@\n-x\n+z\n*** End of File\n",
                            Map.of("f", "x\ny\nz\n")),
                    arguments(
                            "P1: CRLF is kept",
                            Map.of("f", "foo\r\nbar\r\n"),
                            "*** Update File: f\n@@\n-foo\n+FOO\n+more\n bar\n",
                            Map.of("f", "FOO\r\nmore\r\nbar\r\n")),
                    arguments(
                            "CRLF is kept where the last line has no end",
                            Map.of("f", "a\r\nb"),
                            "*** Update File: f\n@@\n b\n+c\n",
                            Map.of("f", "a\r\nb\r\nc")),
                    arguments(
                            "P2: no final newline is added",
                            Map.of("f", "a\nb"),
                            "*** Update File: f\n@@\n-a\n+A\n b\n",
                            Map.of("f", "A\nb")),
                    arguments(
                            "a changed last line stays without newline",
                            Map.of("f", "a\nb"),
                            "*** Update File: f\n@@\n-b\n+B\n",
                            Map.of("f", "a\nB")),
                    arguments(
                            "several files at once",
                            Map.of("f", "a\n", "g", "b\n", "h", "c\n"),
                            """
                            *** Add File: n
                            +n
                            *** Update File: f
                            @@
                            -a
                            +A

                            *** Delete File: g
                            """,
                            Map.of("f", "A\n", "h", "c\n", "n", "n\n")),
                    arguments(
                            "an empty line is empty context",
                            Map.of("f", "a\n\nb\n"),
                            "*** Update File: f\n@@\n a\n\n-b\n+B\n",
                            Map.of("f", "a\n\nB\n")),
                    arguments(
                            "removes all lines",
                            Map.of("f", "a\nb\n"),
                            "*** Update File: f\n@@\n-a\n-b\n",
                            Map.of("f", "")),
                    arguments(
                            "lines that look like markers",
                            Map.of("f", "*** a\n--- b\n"),
                            "*** Update File: f\n@@\n-*** a\n+*** A\n ---" + " b\n",
                            Map.of("f", "*** A\n--- b\n")));

    static Stream<Arguments> applied() {
        return APPLIED.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void refuses(String name, Map<String, String> before, String body, String reason) {
        Tree tree = tree(before);
        assertThat(tree.apply(envelope(body))).contains(reason);
        assertThat(tree.contents()).isEqualTo(before);
    }

    private static final String TWO_OF_THEM = "x\nsame\ny\n".repeat(1) + "z\nsame\nw\n";

    private static final List<Arguments> REFUSED =
            List.of(
                    arguments(
                            "P5: like places, both named",
                            Map.of("f", TWO_OF_THEM),
                            "*** Update File: f\n@@\n-same\n+other\n",
                            "f: Hunk 1 (line 3 of the patch) is ambiguous, lines 2 and 5"),
                    arguments(
                            "two headers that are alike",
                            Map.of("f", "m:\n a\nm:\n b\n"),
                            "*** Update File: f\n@@ m:\n+ c\n",
                            "is ambiguous, lines 1 and 3"),
                    arguments(
                            "a hunk beyond its header's block in two places",
                            Map.of("f", "a:\n 1\nb:\n 2\nc:\n 2\n"),
                            "*** Update File: f\n@@ a:\n- 2\n+ 3\n",
                            "is ambiguous, lines 4 and 6"),
                    arguments(
                            "P4: an addition that says no place",
                            Map.of("f", "a\n"),
                            "*** Update File: f\n@@\n+b\n",
                            "does not say where"),
                    arguments(
                            "a header that is not there",
                            Map.of("f", "a\n"),
                            "*** Update File: f\n@@ nowhere\n-a\n+b\n",
                            "no such line is there"),
                    arguments(
                            "wrong context names both texts",
                            Map.of("f", "a\nb\nc\n"),
                            "*** Update File: f\n@@\n a\n-B\n+x\n",
                            "line 2 should be \"B\", but is \"b\""),
                    arguments(
                            "context that is nowhere",
                            Map.of("f", "a\n"),
                            "*** Update File: f\n@@\n-q\n+x\n",
                            "no line of the file is \"q\""),
                    arguments(
                            "one misfit hunk spoils all",
                            Map.of("f", "a\n", "g", "b\n"),
                            "*** Update File: f\n@@\n-a\n+A\n*** Update File: g\n@@\n-q\n+x\n",
                            "g: Hunk 1"),
                    arguments(
                            "a missing file",
                            Map.of(),
                            "*** Update File: f\n@@\n-a\n+b\n",
                            "f does not exist"),
                    arguments(
                            "a second deletion",
                            Map.of(),
                            "*** Delete File: f\n",
                            "f does not exist"),
                    arguments(
                            "a new file that exists",
                            Map.of("f", "a\n"),
                            "*** Add File: f\n+b\n",
                            "creates f, which exists"),
                    arguments(
                            "a move onto a file",
                            Map.of("f", "a\n", "g", "b\n"),
                            "*** Update File: f\n*** Move to: g\n",
                            "moves f to g, which exists"),
                    arguments(
                            "a path that leads out",
                            Map.of(),
                            "*** Add File: d/../../x\n+b\n",
                            "not a file in the workspace"),
                    arguments(
                            "an absolute path",
                            Map.of(),
                            "*** Add File: /etc/x\n+b\n",
                            "relative to the workspace"),
                    arguments(
                            "one file twice",
                            Map.of("f", "a\nb\n"),
                            "*** Update File: f\n@@\n-a\n+A\n*** Update File: ./f\n@@\n-b\n+B\n",
                            "more than once"),
                    arguments(
                            "a new line without +",
                            Map.of(),
                            "*** Add File: n\nb\n",
                            "must begin with +"),
                    arguments(
                            "a line without sign",
                            Map.of("f", "a\n"),
                            "*** Update File: f\n@@\n-a\nb\n",
                            "must begin with a blank, - or +"),
                    arguments(
                            "a hunk that changes nothing",
                            Map.of("f", "a\n"),
                            "*** Update File: f\n@@\n a\n",
                            "nothing is changed"),
                    arguments(
                            "an update without hunk",
                            Map.of("f", "a\n"),
                            "*** Update File: f\n",
                            "changes nothing in it"),
                    arguments(
                            "an unknown section",
                            Map.of(),
                            "*** Rename File: f\n",
                            "must be \"*** Add File"),
                    arguments(
                            "End of File that is not there",
                            Map.of("f", "a\nb\n"),
                            "*** Update File: f\n@@\n-a\n+A\n*** End of File\n",
                            "not where and how the file ends"));

    static Stream<Arguments> refused() {
        return REFUSED.stream();
    }

    @Test
    void aPatchThatWasCutOffIsRefused() {
        Tree tree = Tree.of("f", "a\n");
        assertThat(tree.apply("*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n"))
                .contains("was cut off");
    }

    @Test
    void whatFollowsThePatchIsRefused() {
        Tree tree = Tree.of("f", "a\n");
        assertThat(tree.apply(envelope("*** Delete File: f\n") + "thanks\n"))
                .contains("comes after");
        assertThat(tree.apply("```\n" + envelope("*** Delete File: f\n") + "```\n"))
                .contains("no part of a unified diff");
        assertThat(tree.contents()).isEqualTo(Map.of("f", "a\n"));
    }

    @Test
    void aPatchWrittenWithCrlfChangesAFileWithLf() {
        Tree tree = Tree.of("f", "a\nb\n");
        String patch = envelope("*** Update File: f\n@@\n-a\n+A\n b\n").replace("\n", "\r\n");
        assertThat(tree.apply(patch)).isEmpty();
        assertThat(tree.contents()).isEqualTo(Map.of("f", "A\nb\n"));
    }

    @Test
    void mixedLineEndsAreMatchedExactlyOrRefused() {
        Tree tree = Tree.of("f", "a\r\nb\nc\r\n");
        assertThat(tree.apply(envelope("*** Update File: f\n@@\n-b\n+B\n"))).isEmpty();
        assertThat(tree.apply(envelope("*** Update File: f\n@@\n-a\n+A\n")))
                .contains("no line of the file is \"a\"");
        assertThat(tree.contents()).isEqualTo(Map.of("f", "a\r\nB\nc\r\n"));
    }

    /** P7: curly quotes, no-break blanks and trailing blanks elsewhere. */
    @Test
    void whatTheHunkDoesNotNameKeepsEveryByte() {
        String odd = "\u201Cq\u201D\u00A0x  \t\n".repeat(49);
        Bytes before = Bytes.utf8(odd + "line 50\n" + odd);
        Tree tree = new Tree().put("f", before, 0644);
        assertThat(tree.apply(envelope("*** Update File: f\n@@\n-line 50\n+LINE 50\n"))).isEmpty();
        assertThat(tree.read("f").orElseThrow().content())
                .isEqualTo(Bytes.utf8(odd + "LINE 50\n" + odd));
    }

    /** P8: bytes that are no UTF-8 stay; context that would need them is refused, readably. */
    @Test
    void latinOneBytesStay() {
        Tree tree = new Tree().put("f", Bytes.hex("a9310a" + "610a"), 0644);
        assertThat(tree.apply(envelope("*** Update File: f\n@@\n-a\n+b\n"))).isEmpty();
        assertThat(tree.read("f").orElseThrow().content()).isEqualTo(Bytes.hex("a9310a" + "620a"));
        assertThat(tree.apply(envelope("*** Update File: f\n@@\n \u00A91\n-b\n+c\n")))
                .contains("no line of the file is \"\u00A91\"");
        assertThat(tree.apply(envelope("*** Update File: f\n@@ -1 +1 @@\n x\n")))
                .contains("nothing is changed");
    }

    @Test
    void aByteOrderMarkStays() {
        Tree tree = new Tree().put("f", Bytes.utf8("\uFEFFa\nb\n"), 0644);
        assertThat(tree.apply(envelope("*** Update File: f\n@@\n-a\n+A\n"))).isEmpty();
        assertThat(tree.read("f").orElseThrow().content()).isEqualTo(Bytes.utf8("\uFEFFA\nb\n"));
        assertThat(tree.apply(envelope("*** Update File: f\n@@\n-\uFEFFA\n+A\n"))).isEmpty();
        assertThat(tree.read("f").orElseThrow().content()).isEqualTo(Bytes.utf8("A\nb\n"));
    }

    /** P10: the mode of an updated or moved file is kept. */
    @Test
    void modesAreKept() {
        Tree tree = new Tree().put("f", Bytes.utf8("a\n"), 0755).put("g", Bytes.utf8("b\n"), 0640);
        String patch =
                "*** Update File: f\n@@\n-a\n+A\n*** Update File: g\n*** Move to: h\n@@\n-b\n+B\n";
        assertThat(tree.apply(envelope(patch))).isEmpty();
        assertThat(tree.mode("f")).isEqualTo(0755);
        assertThat(tree.mode("h")).isEqualTo(0640);
    }

    private static String envelope(String body) {
        return "*** Begin Patch\n" + body + "*** End Patch\n";
    }

    private static Tree tree(Map<String, String> files) {
        Tree tree = new Tree();
        files.forEach((path, content) -> tree.put(path, Bytes.utf8(content), 0644));
        return tree;
    }
}
