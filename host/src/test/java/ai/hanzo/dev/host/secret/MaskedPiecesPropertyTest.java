package ai.hanzo.dev.host.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class MaskedPiecesPropertyTest {
    private static final String ALNUM36 = "abcdefghijklmnopqrstuvwxyz0123456789";

    @Property
    void piecesAreMaskedLikeTheWhole(@ForAll("cuts") List<Integer> cuts) {
        String key = "-----BEGIN PRIVATE KEY-----\n" + (ALNUM36 + "+/\n").repeat(3);
        String text =
                "It is ghp_"
                        + ALNUM36
                        + ", or correct horse,\nor\n"
                        + key
                        + "-----END PRIVATE KEY-----\nand correct it.";
        Secrets secrets = Secrets.of(Map.of("THE_PASSWORD", "correct horse"));
        var told = new StringBuilder();
        var pieces = new MaskedPieces(secrets, told::append);
        int at = 0;
        for (int cut : cuts) {
            int end = Math.min(text.length(), at + cut);
            pieces.add(text.substring(at, end));
            at = end;
        }
        pieces.add(text.substring(at));
        pieces.end();
        assertThat(told.toString())
                .isEqualTo(secrets.redactor().mask(text))
                .doesNotContain("ghp_", "horse", ALNUM36);
    }

    @Provide
    Arbitrary<List<Integer>> cuts() {
        return Arbitraries.integers().between(1, 30).list().ofMaxSize(60);
    }
}
