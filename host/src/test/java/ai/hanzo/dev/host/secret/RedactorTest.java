package ai.hanzo.dev.host.secret;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactorTest {
    private static final String ALNUM36 = "abcdefghijklmnopqrstuvwxyz0123456789";
    private final Redactor redactor = new Redactor(List.of("correct horse", "short", "pä55-wörd!"));

    private static String shown(String kind) {
        return Redactor.MASK + kind + "]";
    }

    /** Put together here, so that no scanner takes this file for a leak. */
    @ParameterizedTest
    @CsvSource({
        "api-key, sk-, ant-api03-Abcdefgh12_345678-xyz",
        "api-key, sk-, proj-0123456789abcdefghij",
        "github-token, ghp_, abcdefghijklmnopqrstuvwxyz0123456789",
        "github-token, github_pat_, 11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
        "gitlab-token, glpat-, abcdefghij0123456789",
        "aws-key, AKIA, ABCDEFGHIJKLMNOP",
        "slack-token, xoxb-, 123456789012-abcdefghijkl",
        "google-key, AIza, SyA1234567890abcdefghijklmnopqrstuv",
        "npm-token, npm_, abcdefghijklmnopqrstuvwxyz0123456789",
        "hf-token, hf_, abcdefghijklmnopqrstuvwxyzABCDEFGH",
        "stripe-key, sk_live_, abcdefghij0123456789",
        "web-token, eyJ, hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.c2lnbmF0dXJlLW9mLXRoaXMtdG9rZW4"
    })
    void aTokenIsMaskedAndWhatStandsBesideItIsNot(String kind, String prefix, String rest) {
        String token = prefix + rest;
        for (String frame : List.of("%s", "key=%s;", "\"%s\"\n", "a %s b", "Bearer %s")) {
            assertThat(redactor.mask(frame.formatted(token)))
                    .isEqualTo(frame.formatted(shown(kind)));
            assertThat(redactor.finds(frame.formatted(token))).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s",
                "sk-",
                "class=\"sk-loading-indicator-wrapper-large\"",
                "a task-0123456789abcdefghijklmnop is no key",
                "ghp_tooshort",
                "AKIAIOSFODNN7EXAMPLE",
                "-----BEGIN PRIVATE KEY-----\nnot one\n-----END PRIVATE KEY-----",
                "String begin = \"-----BEGIN PRIVATE KEY-----\";",
                "eyJust.a.word",
                "eyJhbGciOiJIUzI1NiJ9.short.x",
                "this is short",
                "0123456789abcdef0123456789abcdef01234567"
            })
    void ordinaryTextStaysAsItIs(String text) {
        assertThat(redactor.mask(text)).isSameAs(text);
        assertThat(redactor.finds(text)).isFalse();
    }

    @Test
    void aKnownValueIsMaskedWhereverItStands() {
        assertThat(redactor.mask("xcorrect horsey and pä55-wörd!"))
                .isEqualTo("x" + shown("secret") + "y and " + shown("secret"));
    }

    @Test
    void aPrivateKeyIsMaskedToItsLastLineOrToTheEnd() {
        String body = (ALNUM36 + "+/\n").repeat(3);
        String key = "-----BEGIN RSA PRIVATE KEY-----\n" + body + "-----END RSA PRIVATE KEY-----";
        assertThat(redactor.mask("a\n" + key + "\nb"))
                .isEqualTo("a\n" + shown("private-key") + "\nb");
        assertThat(redactor.mask("a\n" + key.substring(0, key.length() - 30)))
                .isEqualTo("a\n" + shown("private-key"));
    }

    @Test
    void bytesThatAreNoTextStayAsTheyAreAroundASecret() {
        Bytes before = Bytes.hex("ff00fe80");
        Bytes secret = Bytes.utf8("correct horse");
        assertThat(redactor.mask(before.concat(secret).concat(before)))
                .isEqualTo(before.concat(Bytes.utf8(shown("secret"))).concat(before));
        assertThat(redactor.mask(before)).isSameAs(before);
    }

    @Test
    void aValueThatWasCutInTwoIsToldInNeitherHalf() {
        assertThat(redactor.maskHead(Bytes.utf8("it is correct ho")))
                .isEqualTo(Bytes.utf8("it is "));
        assertThat(redactor.maskTail(Bytes.utf8("ct horse it is"))).isEqualTo(Bytes.utf8(" it is"));
        assertThat(redactor.maskHead(Bytes.utf8("it is cor"))).isEqualTo(Bytes.utf8("it is cor"));
    }

    /** Whatever is printed, each byte is looked at a few times only; else this takes hours. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sk-",
                "sk--",
                "eyJ-",
                "eyJaaaaaaaaaaaa.",
                "SG.",
                "-----BEGIN PRIVATE KEY-----",
                "xoxb-",
                "correct hors"
            })
    void aHostileTextIsReadOnce(String piece) {
        String text = piece.repeat(4_000_000 / piece.length()) + "!";
        assertThat(redactor.finds(text)).isFalse();
    }

    @Test
    void wordsAreToldAsTheyComeAndALongOneInTheEnd() {
        List<String> told = new ArrayList<>();
        var pieces = new MaskedPieces(Secrets.of(Map.of()), told::add);
        pieces.add("one tw");
        pieces.add("o three ");
        pieces.add("x".repeat(20_000));
        pieces.add("y");
        pieces.forget();
        pieces.add("last");
        pieces.end();
        assertThat(told).containsExactly("one ", "two three ", "x".repeat(20_000), "last");
    }

    @Test
    void theMaskItselfIsLeftAlone() {
        String once = redactor.mask("ghp_" + ALNUM36);
        assertThat(redactor.mask(once)).isSameAs(once);
    }

    @Test
    void anEnvironmentGivesItsSecretsByTheirNames() {
        Secrets secrets =
                Secrets.of(
                        Map.of(
                                "SERVICE_TOKEN", "one-two-three",
                                "aws_secret_access_key", "four-five-six",
                                "PGPASSWORD", "seven-eight",
                                "SSH_KEY_FILE", "/home/me/.ssh/id",
                                "GNOME_KEYRING_CONTROL", "/run/user/keyring",
                                "TOKENIZERS_PARALLELISM", "disabled",
                                "PATH", "/usr/bin:/bin",
                                "API_KEY", "tiny"));
        assertThat(secrets.redactor().mask("one-two-three four-five-six seven-eight"))
                .isEqualTo(
                        String.join(
                                " ", List.of(shown("secret"), shown("secret"), shown("secret"))));
        assertThat(
                        secrets.redactor()
                                .finds(
                                        "/home/me/.ssh/id /usr/bin:/bin tiny /run/user/keyring disabled"))
                .isFalse();
        secrets.add(List.of("brought later\n"));
        assertThat(secrets.redactor().finds("it was brought later.")).isTrue();
    }

    /** No shape is found in what this project is written in. */
    @Test
    void ourOwnSourcesHoldNothingThatLooksLikeASecret() throws IOException {
        Redactor shapes = new Redactor(List.of());
        List<Path> found = new ArrayList<>();
        long bytes = 0;
        for (String place :
                List.of("../host/src/main", "../ledger/src", "../wasm", "../native", "../docs")) {
            try (Stream<Path> files = Files.walk(Path.of(place))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Bytes content = Bytes.wrap(Files.readAllBytes(file));
                    bytes += content.length();
                    if (!shapes.mask(content).equals(content)) {
                        found.add(file);
                    }
                }
            }
        }
        assertThat(found).isEmpty();
        assertThat(bytes).isGreaterThan(1_000_000);
    }
}
