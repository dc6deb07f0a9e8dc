package ai.hanzo.dev.host.dispatch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.Outcome.Status;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests reach the address that was checked, and no other. 127.0.0.1 plays the public one. */
@Timeout(60)
class WebEffectsTest {
    private static final InetAddress PUBLIC = address("127.0.0.1");
    private static final InetAddress PRIVATE = address("127.0.0.2");

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger lookups = new AtomicInteger();
    private final CountDownLatch end = new CountDownLatch(1);
    private HttpServer server = start();

    private static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }

    private HttpServer start() {
        try {
            // On all addresses: a request to the private one would be seen.
            HttpServer made = HttpServer.create(new InetSocketAddress("0.0.0.0", 0), 0);
            made.setExecutor(threads);
            made.createContext("/", this::answer);
            made.start();
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeEach
    void nothingWasSeen() {
        assertThat(seen).isEmpty();
    }

    @AfterEach
    void close() {
        end.countDown();
        server.stop(/* delay= */ 0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        seen.add(
                exchange.getRequestMethod()
                        + " "
                        + exchange.getRequestHeaders().getFirst("Host")
                        + " at "
                        + exchange.getLocalAddress().getAddress().getHostAddress());
        String path = exchange.getRequestURI().getPath();
        switch (path) {
            case "/redirect" -> {
                exchange.getResponseHeaders()
                        .add("Location", "http://private.test:" + port() + "/secret");
                exchange.sendResponseHeaders(302, -1);
            }
            case "/long" -> {
                exchange.sendResponseHeaders(200, 0);
                try (OutputStream out = exchange.getResponseBody()) {
                    for (int i = 0; i < 64; i++) {
                        out.write(new byte[64 * 1024]);
                    }
                } catch (IOException e) {
                    seen.add("hung up");
                }
            }
            case "/slow" -> {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write('a');
                exchange.getResponseBody().flush();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            default -> {
                byte[] body =
                        (exchange.getRequestHeaders().getFirst("X-Asked")
                                        + "|"
                                        + exchange.getRequestHeaders().getFirst("Cookie")
                                        + "|"
                                        + new String(
                                                exchange.getRequestBody().readAllBytes(), UTF_8))
                                .getBytes(UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        }
        exchange.close();
    }

    private int port() {
        return server.getAddress().getPort();
    }

    private Outcome browse(CheckedNames.Names names, String method, String url, Duration whole) {
        CheckedNames.Names counted =
                host -> {
                    lookups.incrementAndGet();
                    return names.lookUp(host);
                };
        try (var web = new WebEffects(new CheckedNames(counted, PUBLIC::equals), whole)) {
            return web.browse(
                    new Op.Browse(
                            method,
                            url,
                            List.of(
                                    new Op.Variable("X-Asked", "yes"),
                                    new Op.Variable("Cookie", "stolen")),
                            new Content.Inline(Bytes.utf8(method.equals("POST") ? "sent" : "")),
                            ""));
        }
    }

    private Outcome get(CheckedNames.Names names, String url) {
        return browse(names, "GET", url, Duration.ofSeconds(30));
    }

    private static String text(Outcome outcome) {
        return new String(outcome.stdout().toArray(), UTF_8);
    }

    @Test
    void theNameIsKeptAndTheCheckedAddressIsReached() {
        Outcome outcome = get(_ -> new InetAddress[] {PUBLIC}, "http://site.test:" + port() + "/");

        assertThat(outcome.status()).isEqualTo(Status.OK);
        assertThat(text(outcome)).startsWith("HTTP 200\n").endsWith("\n\nyes|null|");
        assertThat(seen).containsExactly("GET site.test:" + port() + " at 127.0.0.1");
    }

    /** DNS rebinding: the second answer of the name leads inside. */
    @Test
    void aNameThatAnswersOtherwiseTheSecondTimeIsAskedOnce() {
        CheckedNames.Names rebinding =
                _ -> new InetAddress[] {lookups.get() <= 1 ? PUBLIC : PRIVATE};

        assertThat(get(rebinding, "http://site.test:" + port() + "/").status())
                .isEqualTo(Status.OK);
        assertThat(lookups).hasValue(1);
        assertThat(seen).containsExactly("GET site.test:" + port() + " at 127.0.0.1");
        assertThat(get(rebinding, "http://site.test:" + port() + "/").status())
                .as("no address and no connection is kept for the next request")
                .isEqualTo(Status.DENIED);
        assertThat(seen).hasSize(1);
    }

    @Test
    void oneInnerAddressAmongTheAnswersIsEnoughToRefuse() {
        Outcome outcome =
                get(_ -> new InetAddress[] {PUBLIC, PRIVATE}, "http://site.test:" + port() + "/");

        assertThat(outcome.status()).isEqualTo(Status.DENIED);
        assertThat(outcome.message()).contains("site.test is not a public address");
        assertThat(seen).isEmpty();
    }

    @Test
    void aRedirectIsToldAndWhereItLeadsIsCheckedAnew() {
        CheckedNames.Names names =
                host -> new InetAddress[] {host.equals("private.test") ? PRIVATE : PUBLIC};
        Outcome redirect = get(names, "http://site.test:" + port() + "/redirect");

        String inside = "http://private.test:" + port() + "/secret";
        assertThat(redirect.status()).isEqualTo(Status.OK);
        assertThat(text(redirect)).startsWith("HTTP 302\n").contains("location: " + inside);
        assertThat(seen).hasSize(1);
        assertThat(get(names, inside).status()).isEqualTo(Status.DENIED);
        assertThat(seen).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.2:%d/",
                "http://[::1]:%d/",
                "http://2130706434:%d/",
                "http://localhost:%d/",
                "http://[::ffff:127.0.0.2]:%d/"
            })
    void addressesInTheUrlAreCheckedToo(String url) {
        try (var web = WebEffects.toPublicAddresses()) {
            Outcome outcome =
                    web.browse(
                            new Op.Browse(
                                    "",
                                    url.formatted(port()),
                                    List.of(),
                                    new Content.Inline(Bytes.empty()),
                                    ""));
            // A number may be a name that does not exist.
            assertThat(outcome.status()).as("%s", outcome).isIn(Status.DENIED, Status.FAILED);
        }
        assertThat(seen).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"file:///etc/passwd", "ftp://site.test/", "http://me@site.test/", "http:/"})
    void otherUrlsAreRefused(String url) {
        assertThat(get(_ -> new InetAddress[] {PUBLIC}, url).status()).isEqualTo(Status.DENIED);
        assertThat(lookups).hasValue(0);
    }

    @Test
    void aBodyIsSentAndALongAnswerIsCut() {
        CheckedNames.Names names = _ -> new InetAddress[] {PUBLIC};
        Outcome posted =
                browse(names, "POST", "http://site.test:" + port() + "/", Duration.ofSeconds(30));
        assertThat(text(posted)).endsWith("|sent");

        Outcome cut = get(names, "http://site.test:" + port() + "/long");
        assertThat(cut.truncated()).as("%s", cut).isTrue();
        assertThat(text(cut)).hasSizeLessThan(WebEffects.MAX_BODY_BYTES + 200);
    }

    @Test
    void anAnswerThatNeverEndsIsEnded() {
        CheckedNames.Names names = _ -> new InetAddress[] {PUBLIC};
        String url = "http://site.test:" + port() + "/slow";

        assertThat(browse(names, "GET", url, Duration.ofMillis(700)).status())
                .isEqualTo(Status.FAILED);
        assertThat(browse(names, "POST", url, Duration.ofMillis(700)).status())
                .as("what a POST did is not known")
                .isEqualTo(Status.IN_DOUBT);
    }

    @Test
    void whatDoesNotExistIsASentence() {
        CheckedNames.Names none =
                host -> {
                    throw new UnknownHostException(host);
                };
        assertThat(get(none, "http://nowhere.test/").message())
                .isEqualTo("there is no host nowhere.test to be found");
    }
}
