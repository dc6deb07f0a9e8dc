package ai.hanzo.dev.host.core;

import static ai.hanzo.dev.host.core.Driver.call;
import static ai.hanzo.dev.host.core.Driver.messages;
import static ai.hanzo.dev.host.core.Driver.ops;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config.ToolKind;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The path rule, for every op that has a path: lexical, in the core. */
final class PathRuleTest {
    private static Cores cores;

    @BeforeAll
    static void load() {
        cores = new WasmCores(CoreLimits.DEFAULTS);
    }

    @AfterAll
    static void unload() {
        cores.close();
    }

    /** Every call that names a path, with this one. */
    private static List<Call> naming(String path) {
        Content text = Content.of(Bytes.utf8("x"));
        return List.of(
                Driver.read(path),
                call(ToolKind.WRITE, new Op.Write(path, text, Optional.empty(), Optional.empty())),
                call(ToolKind.STAT, new Op.Stat(path)),
                call(ToolKind.LIST, new Op.ListFiles(path, 0, 0)),
                call(ToolKind.SEARCH, new Op.Search("x", path, "", 0)),
                call(ToolKind.GIT, new Op.Git(List.of("status"), path)),
                call(
                        ToolKind.EXEC,
                        new Op.Exec(
                                List.of("true"),
                                path,
                                Content.NONE,
                                List.of(),
                                0,
                                /* pty= */ false)),
                patch("*** Begin Patch\n*** Add File: " + path + "\n+x\n*** End Patch\n"),
                patch("--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1 @@\n+x\n"));
    }

    private static Call patch(String text) {
        return call(ToolKind.PATCH, new Op.Patch(Content.of(Bytes.utf8(text))));
    }

    private static List<Action> said(Call call) {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            return driver.calls(1, "", call);
        }
    }

    static Stream<String> outside() {
        return Stream.of(
                "..",
                "../a",
                "../../a",
                "a/../..",
                "a/../../a",
                "./..",
                "./../a",
                "a/./../../b",
                "a//../../b",
                "a/b/../../../c",
                "../workspace/a",
                "a/b/c/../../../..",
                ".//..");
    }

    static Stream<String> inside() {
        return Stream.of(
                "a",
                "a/b",
                "./a",
                ".",
                "./",
                "a/..",
                "a/../b",
                "a/./b",
                "a//b",
                "a/",
                "a/b/../..",
                "...",
                "..a",
                "a..",
                "a/...",
                "a:b",
                "a\\b",
                "..\\a",
                "C:\\a",
                "~",
                "~/a",
                "-",
                "$HOME",
                "a b",
                "\u00e9/\u4f60",
                "%2e%2e/a",
                "a\nb");
    }

    @ParameterizedTest
    @MethodSource("outside")
    void invariant14APathThatClimbsOutIsRefusedByName(String path) {
        for (Call call : naming(path)) {
            List<Action> actions = said(call);
            assertThat(ops(actions)).as("%s", call).containsExactly("3 ModelAsk");
            Op.Message told = messages(actions).getLast();
            assertThat(told.id()).isEqualTo(2);
            assertThat(told.body()).contains(path);
        }
    }

    /** Git quotes a name that has odd bytes in it, as C does. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"b/\\056\\056/x\"",
                "\"b/..\\057x\"",
                "\"../x\"",
                "\"b/a/../../\\303\\251\"",
                "\"b/\\000x\""
            })
    void invariant14AQuotedNameIsJudgedByWhatItMeans(String name) {
        for (String text :
                List.of(
                        "--- /dev/null\n+++ " + name + "\n@@ -0,0 +1 @@\n+x\n",
                        "--- " + name + "\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n")) {
            assertThat(ops(said(patch(text)))).as(text).containsExactly("3 ModelAsk");
        }
    }

    /** Whatever stands before it: counts that a Begin-Patch text does not mean, blanks, no hunk. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "*** Begin Patch\n*** Update File: a\n@@ -1,99 +1,99 @@\n-x\n+y\n"
                        + "*** Add File: ../../evil\n+hi\n*** End Patch",
                "*** Begin Patch\n*** Add File:  /etc/passwd\n+x\n*** End Patch",
                "*** Begin Patch\n*** Add File: \t../x \r\n+x\n*** End Patch",
                "*** Begin Patch\n*** Update File: a\n*** Move to:  ..\n@@\n-x\n*** End Patch",
                "diff --git a/../../x b/../../x\nnew file mode 100644\n",
                "diff --git ../x ../x\ndeleted file mode 100644\n",
                "diff --git a/../a b b/../a b\nold mode 100644\nnew mode 100755\n",
                "diff --git \"a/\\056./x\" \"b/\\056./x\"\nnew file mode 100644\n"
            })
    void invariant14AHiddenHeaderIsFound(String text) {
        assertThat(ops(said(patch(text)))).containsExactly("3 ModelAsk");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n x\n+diff --git a/../x b/../x\n",
                "--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- ../x\n+++ ../x\n",
                "diff --git a/a b b/a b\nnew file mode 100644\n",
                "*** Begin Patch\n*** Add File: a \n+*** Add File: ../x\n*** End Patch"
            })
    void whatOnlyLooksLikeAHeaderGoesOut(String text) {
        assertThat(ops(said(patch(text)))).containsExactly("2 Patch");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"b/\\303\\251\"", "\"b/a\\\"b\"", "\"b/a\\\\..\"", "\"", "\"b/x"})
    void aQuotedNameInsideGoesOut(String name) {
        String text = "--- /dev/null\n+++ " + name + "\n@@ -0,0 +1 @@\n+x\n";
        assertThat(ops(said(patch(text)))).containsExactly("2 Patch");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/etc/passwd", "//a", "/a/..", "a\0b", "\0"})
    void invariant14AnAbsolutePathOrANulIsRefused(String path) {
        // In a diff a/ and b/ are taken off, so what follows them is not at the beginning.
        for (Call call : naming(path).subList(0, 7)) {
            assertThat(ops(said(call))).as("%s", call).containsExactly("3 ModelAsk");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void invariant14AnEmptyPathIsRefusedWhereOneIsNeeded(int index) {
        assertThat(ops(said(naming("").get(index)))).containsExactly("3 ModelAsk");
    }

    @ParameterizedTest
    @MethodSource("inside")
    void invariant14WhatStaysInsideIsSentAsItIs(String path) {
        for (Call call : naming(path).subList(0, 7)) {
            List<Action> actions = said(call);
            assertThat(actions).as("%s", call).hasSize(1);
            assertThat(actions.getFirst().id().value()).isEqualTo(2);
            assertThat(new Call.Operation(actions.getFirst().op())).isEqualTo(call.request());
        }
    }
}
