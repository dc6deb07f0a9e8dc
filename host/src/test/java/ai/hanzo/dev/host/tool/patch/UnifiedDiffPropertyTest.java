package ai.hanzo.dev.host.tool.patch;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.sandbox.WholeFile;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is written as a diff comes back as the file. */
class UnifiedDiffPropertyTest {

    @Property(tries = 2_000)
    void aDiffAppliedToTheOldFileGivesTheNewOne(
            @ForAll("files") Bytes before, @ForAll("files") Bytes after) {
        roundTrip(Optional.of(before), Optional.of(after));
    }

    @Property(tries = 500)
    void editsOfALongFileToo(
            @ForAll("longFiles") List<String> lines, @ForAll("edits") List<Integer> edits) {
        StringBuilder after = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            switch (edits.contains(i) ? edits.indexOf(i) % 3 : -1) {
                case 0 -> after.append("changed\n");
                case 1 -> {}
                case 2 -> after.append(lines.get(i)).append("\ninserted\n");
                default -> after.append(lines.get(i)).append('\n');
            }
        }
        Bytes before = Bytes.utf8(String.join("\n", lines) + (lines.isEmpty() ? "" : "\n"));
        roundTrip(Optional.of(before), Optional.of(Bytes.utf8(after.toString())));
    }

    @Property(tries = 300)
    void aNewFileAndADeletedOneToo(@ForAll("files") Bytes content) {
        roundTrip(Optional.empty(), Optional.of(content));
        roundTrip(Optional.of(content), Optional.empty());
    }

    @Property(tries = 2_000)
    void anyTextIsAPatchOrRefused(@ForAll("patchLike") String text) {
        Tree tree = Tree.of("f", "a\nb\na\n");
        String refusal = tree.apply(text);
        if (!refusal.isEmpty()) {
            assertThat(tree.contents()).isEqualTo(Tree.of("f", "a\nb\na\n").contents());
        }
    }

    private static void roundTrip(Optional<Bytes> before, Optional<Bytes> after) {
        Tree tree = new Tree();
        before.ifPresent(content -> tree.put("d/f", content, 0644));
        Bytes diff = UnifiedDiff.of("d/f", version(before), version(after));
        if (before.equals(after)) {
            assertThat(diff).isEqualTo(Bytes.empty());
            return;
        }
        assertThat(tree.apply(diff)).as(diff.toUtf8()).isEmpty();
        assertThat(tree.read("d/f").map(WholeFile::content)).as(diff.toUtf8()).isEqualTo(after);
    }

    private static Optional<UnifiedDiff.Version> version(Optional<Bytes> content) {
        return content.map(bytes -> new UnifiedDiff.Version(bytes, 0644));
    }

    /** Few different lines, so that they repeat; odd ends, marks and bytes. */
    @Provide
    Arbitrary<Bytes> files() {
        Arbitrary<String> line =
                Arbitraries.of(
                        "a", "b", "c", "", " ", "-- x", "++ y", "@@", "\\ No", "\uFEFF", "é");
        Arbitrary<String> end =
                Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(5, Arbitraries.just("\n")),
                        net.jqwik.api.Tuple.of(2, Arbitraries.just("\r\n")));
        Arbitrary<String> lines =
                Combinators.combine(line, end)
                        .as(String::concat)
                        .list()
                        .ofMaxSize(12)
                        .map(list -> String.join("", list));
        Arbitrary<String> uniform =
                line.list().ofMaxSize(12).map(list -> String.join("\r\n", list));
        Arbitrary<String> last = Arbitraries.of("", "a", "z", "\r", "\uFEFF");
        return Combinators.combine(Arbitraries.oneOf(lines, uniform), last)
                .as((text, tail) -> Bytes.utf8(text + tail));
    }

    @Provide
    Arbitrary<List<String>> longFiles() {
        return Arbitraries.of("a", "b", "c", "d", "", "}", "return x;").list().ofMaxSize(80);
    }

    @Provide
    Arbitrary<List<Integer>> edits() {
        return Arbitraries.integers().between(0, 79).list().ofMaxSize(6);
    }

    @Provide
    Arbitrary<String> patchLike() {
        return Arbitraries.of(
                        "*** Begin Patch",
                        "*** Update File: f",
                        "*** Add File: g",
                        "*** End Patch",
                        "*** Move to: g",
                        "*** End of File",
                        "*** Delete File: f",
                        "@@",
                        "@@ a",
                        "--- a/f",
                        "+++ b/f",
                        "--- /dev/null",
                        "@@ -1,2 +1,2 @@",
                        "@@ -1 +1 @@",
                        "@@ -0,0 +1 @@",
                        " a",
                        "-a",
                        "+x",
                        "-b",
                        "+",
                        "",
                        "\\ No newline at end of file",
                        "diff --git a/f b/f",
                        "new mode 100755")
                .list()
                .ofMaxSize(12)
                .map(list -> String.join("\n", list));
    }
}
