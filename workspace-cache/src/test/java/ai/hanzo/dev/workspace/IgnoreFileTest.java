package ai.hanzo.dev.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IgnoreFileTest {

    private static IgnoreFile.Answer ask(String file, String path) {
        byte[] data = file.replace("\\n", "\n").getBytes(StandardCharsets.UTF_8);
        boolean directory = path.endsWith("/");
        String plain = directory ? path.substring(0, path.length() - 1) : path;
        return IgnoreFile.parse(data, data.length, 0)
                .ask(plain, plain.substring(plain.lastIndexOf('/') + 1), directory);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*.o | a.o",
                "*.o | d/a.o",
                "build/ | build/",
                "build/ | d/build/",
                "/a | a",
                "a/b | a/b",
                "/a/*.c | a/x.c",
                "**/x | x",
                "**/x | a/b/x",
                "a/** | a/b/c",
                "a/**/z | a/z",
                "a/**/z | a/b/c/z",
                "[a-c].txt | b.txt",
                "[!a].txt | b.txt",
                "\\#x | #x",
                "\\!x | !x",
                "x? | xy",
                "*.o\\n!b.o\\n*.o | b.o",
                "a\\*b | a*b",
                "x[]]y | x]y",
                "foo* | foobar",
                "# c\\n\\nx | x",
            })
    void whatGitIgnores(String file, String path) {
        assertThat(ask(file, path)).isEqualTo(IgnoreFile.Answer.IGNORED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "build/ | build",
                "/a | d/a",
                "a/b | x/a/b",
                "/a/*.c | a/b/x.c",
                "*.o | a.oo",
                "a*b | a/b",
                "a?b | a/b",
                "a/** | a",
                "[a | a",
                "#x | #x",
                "a\\*b | axb",
            })
    void whatGitDoesNotIgnore(String file, String path) {
        assertThat(ask(file, path)).isEqualTo(IgnoreFile.Answer.NOTHING);
    }

    @Test
    void theLastRuleThatMatchesCounts() {
        assertThat(ask("*.o\n!b.o", "b.o")).isEqualTo(IgnoreFile.Answer.KEPT);
        assertThat(ask("x  \n", "x")).isEqualTo(IgnoreFile.Answer.IGNORED);
        assertThat(ask("x\r\n", "x")).isEqualTo(IgnoreFile.Answer.IGNORED);
    }
}
