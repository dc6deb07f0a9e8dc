package ai.hanzo.dev.zap.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private static final String GOOD = "package a\ndialect shape\nstruct S { a u8 @0 }\n";

    @TempDir Path folder;

    @Test
    void itWritesJavaAndThenFindsItUpToDate() throws IOException {
        Path schema = Files.writeString(folder.resolve("a.zap"), GOOD);
        String[] write = {schema.toString(), "--java", folder.toString(), "--package", "x.y"};
        String[] check = {
            schema.toString(), "--java", folder.toString(), "--package", "x.y", "--check"
        };

        assertThat(Main.run(check)).isEqualTo(1);
        assertThat(Main.run(write)).isZero();
        assertThat(folder.resolve("x/y/SView.java")).content().contains("package x.y;");
        assertThat(Main.run(check)).isZero();
        Files.writeString(schema, GOOD.replace("a u8", "b u8"));
        assertThat(Main.run(check)).isEqualTo(1);
    }

    @Test
    void aBadSchemaAndABadCommandLineHaveTheirOwnExitCodes() throws IOException {
        Path schema = Files.writeString(folder.resolve("a.zap"), "package a\n");

        assertThat(Main.run(schema.toString())).isEqualTo(1);
        assertThat(Main.run(folder.resolve("none.zap").toString())).isEqualTo(1);
        assertThat(Main.run()).isEqualTo(2);
        assertThat(Main.run(schema.toString(), "--java", "x")).isEqualTo(2);
        assertThat(Main.run(schema.toString(), "--rust")).isEqualTo(2);
        assertThat(Main.run(schema.toString(), "--other")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"int", "a.class", "a._.b", "true.a", "a..b", "a/b", "../a", "a.1"})
    void aPackageThatJavaCannotHaveIsAWrongCommandLine(String name) throws IOException {
        Path schema = Files.writeString(folder.resolve("a.zap"), GOOD);
        String java = folder.toString();

        assertThat(Main.run(schema.toString(), "--java", java, "--package", name)).isEqualTo(2);
        assertThat(Main.run(schema.toString(), "--java", java, "--package", "record.yield"))
                .isZero();
    }
}
