package ai.hanzo.dev.host.secret;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
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

    /** One with what each encoding writes otherwise, one with none of it. */
    private static final List<String> ENCODED =
            List.of("p\u00e4ss \"w\u00f6rd\"/\\&<%+?~\n\ud83d\udd11", "Abcdefgh0123");

    private final Redactor encodings = new Redactor(ENCODED);

    private void isHidden(String text, String before, String after) {
        String masked = encodings.mask(text);
        assertThat(masked).as(text).isEqualTo(before + shown("secret") + after);
        assertThat(encodings.finds(text)).isTrue();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aKnownValueIsMaskedInBothAlphabetsOfBase64WhereverItBegins() {
        for (String value : ENCODED) {
            for (Base64.Encoder encoder :
                    List.of(Base64.getEncoder(), Base64.getUrlEncoder().withoutPadding())) {
                for (int before = 0; before < 7; before++) {
                    for (int after = 0; after < 4; after++) {
                        String whole =
                                encoder.encodeToString(
                                        utf8("x".repeat(before) + value + "y".repeat(after)));
                        String masked = encodings.mask(whole);
                        int from = before * 8 / 6;
                        int to = ((before + utf8(value).length) * 8 + 5) / 6;
                        assertThat(masked)
                                .as(before + " " + after + " " + whole)
                                .isEqualTo(
                                        whole.substring(0, from)
                                                + shown("secret")
                                                + whole.substring(to));
                    }
                }
            }
        }
    }

    @Test
    void base64InLinesIsMaskedWhereverALineEnds() {
        String value = ENCODED.getFirst();
        for (int before = 0; before < 80; before++) {
            for (String end : List.of("\n", "\r\n")) {
                String whole =
                        Base64.getMimeEncoder(76, utf8(end))
                                .encodeToString(utf8("x".repeat(before) + value + "y".repeat(90)));
                String masked = encodings.mask(whole);
                assertThat(masked).as(whole).contains(shown("secret"));
                String left = masked.replace(shown("secret"), "").replace(end, "");
                int bytes = utf8(value).length;
                assertThat(whole.replace(end, "").length() - left.length())
                        .as(whole)
                        .isGreaterThanOrEqualTo(bytes * 8 / 6 - 1);
            }
        }
    }

    @Test
    void aKnownValueIsMaskedInHexadecimalDigits() {
        for (String value : ENCODED) {
            for (HexFormat digits : List.of(HexFormat.of(), HexFormat.of().withUpperCase())) {
                isHidden("a0" + digits.formatHex(utf8(value)) + "ff", "a0", "ff");
            }
        }
    }

    @Test
    void aKnownValueIsMaskedInAnAddressHoweverMuchOfItIsEncoded() {
        String value = ENCODED.getFirst();
        String form = URLEncoder.encode(value, StandardCharsets.UTF_8);
        String all = HexFormat.ofDelimiter("").withPrefix("%").formatHex(utf8(value));
        for (String written :
                List.of(form, form.replace("+", "%20"), form.toLowerCase(Locale.ROOT), all)) {
            isHidden("https://a/?k=" + written + "&b=1", "https://a/?k=", "&b=1");
        }
    }

    @Test
    void aKnownValueIsMaskedAsItIsEscapedInJson() throws IOException {
        String value = ENCODED.getFirst();
        var json = new ObjectMapper();
        var ascii = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
        for (String written :
                List.of(
                        json.writeValueAsString(value),
                        ascii.writeValueAsString(value),
                        ascii.writeValueAsString(value)
                                .replace("/", "\\/")
                                .replace("&", "\\u0026"))) {
            isHidden("{\"k\": " + written + "}", "{\"k\": \"", "\"}");
        }
        assertThat(Spellings.escaped(value))
                .isEqualTo(json.writeValueAsString(value).replaceAll("^.|.$", ""));
    }

    @Test
    void anEncodedValueThatWasCutInTwoIsToldInNeitherHalf() {
        String value = ENCODED.getLast();
        for (String written :
                List.of(
                        Base64.getEncoder().withoutPadding().encodeToString(utf8(value)),
                        Base64.getEncoder()
                                .withoutPadding()
                                .encodeToString(utf8("xy" + value))
                                .substring(2),
                        HexFormat.of().formatHex(utf8(value)))) {
            for (int cut = 8; cut < written.length() - 8; cut++) {
                assertThat(encodings.maskHead(Bytes.utf8("a " + written.substring(0, cut))))
                        .isEqualTo(Bytes.utf8("a "));
                assertThat(encodings.maskTail(Bytes.utf8(written.substring(cut) + " b")))
                        .isEqualTo(Bytes.utf8(" b"));
            }
        }
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
                "correct hors",
                "Y29ycmVjdCBob3Jz",
                "Y29ycmVjdCBob3Jz\n",
                "636f727265637420686f7273",
                "correct%20hors",
                "p\\u00e4"
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
