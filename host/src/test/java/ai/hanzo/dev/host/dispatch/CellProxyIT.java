package ai.hanzo.dev.host.dispatch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.policy.Destination;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.Uuid7;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.CellNetwork;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.CellsConfig;
import ai.hanzo.dev.sandbox.ExecOutcome;
import ai.hanzo.dev.sandbox.ExecRequest;
import ai.hanzo.dev.sandbox.LeaseSpec;
import ai.hanzo.dev.sandbox.LeaseSpec.Places;
import ai.hanzo.dev.sandbox.Reply;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The way out of a cell, walked by real programs: a server on this machine stands for a public one,
 * by names that only the test's resolver knows.
 */
@Timeout(120)
class CellProxyIT {
    /** As if 127.0.0.1 were a public address; every other one is judged as it is. */
    private static final InetAddress SERVER = InetAddress.getLoopbackAddress();

    private static final int LARGE = 5_000_000;

    @TempDir private static Path root;

    private static HttpServer server;
    private static Cells cells;
    private static Cell cell;
    private static CellProxy proxy;
    private static final SessionId SESSION =
            SessionId.next(new Uuid7(Clock.systemUTC(), new SecureRandom()));
    private static final AtomicInteger lookedUp = new AtomicInteger();
    private static long lastAction;

    @BeforeAll
    static void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(SERVER, 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    byte[] sent = exchange.getRequestBody().readAllBytes();
                    byte[] answer =
                            switch (exchange.getRequestURI().getPath()) {
                                case "/large" -> new byte[LARGE];
                                case "/length" -> Integer.toString(sent.length).getBytes(UTF_8);
                                default ->
                                        (exchange.getRequestMethod()
                                                        + " "
                                                        + exchange.getRequestURI()
                                                        + " for "
                                                        + exchange.getRequestHeaders()
                                                                .getFirst("Host")
                                                        + "\n")
                                                .getBytes(UTF_8);
                            };
                    exchange.sendResponseHeaders(200, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        server.start();
        Path workspace = Files.createDirectories(root.resolve("w"));
        cells = Cells.open(CellsConfig.in(root.toRealPath().resolve("s")));
        cell =
                cells.lease(
                        LeaseSpec.of(
                                SESSION,
                                new Epoch(1),
                                workspace.toRealPath(),
                                Places.in(root.toRealPath().resolve("p"))));
        int port = server.getAddress().getPort();
        proxy =
                new CellProxies(new CheckedNames(CellProxyIT::lookUp, CellProxyIT::isReachable))
                        .serve(
                                cells.openNetwork(SESSION, new Epoch(1)),
                                List.of(
                                        Destination.of("files.example:" + port),
                                        Destination.of("*.packages.example:" + port),
                                        Destination.of("*.inside.example")));
    }

    @AfterAll
    static void close() {
        proxy.close();
        cells.endAll();
        cells.close();
        server.stop(0);
    }

    private static boolean isReachable(InetAddress address) {
        return address.equals(SERVER) || CheckedNames.isPublic(address);
    }

    private static InetAddress[] lookUp(String name) throws UnknownHostException {
        lookedUp.incrementAndGet();
        String address =
                switch (name) {
                    case "files.example", "a.packages.example" -> "127.0.0.1";
                    case "private.inside.example" -> "10.1.2.3";
                    case "loopback.inside.example" -> "127.0.0.2";
                    case "metadata.inside.example" -> "169.254.169.254";
                    case "unique.inside.example" -> "fd00::1";
                    case "mapped.inside.example" -> "::ffff:10.0.0.1";
                    default -> throw new UnknownHostException(name);
                };
        return InetAddress.getAllByName(address);
    }

    private static ExecOutcome run(String line) {
        String at = "http://127.0.0.1:" + CellNetwork.PORT;
        ExecRequest request =
                ExecRequest.shell(line).withEnv(Map.of("http_proxy", at, "https_proxy", at));
        return switch (cell.exec(new ActionId(++lastAction), request)) {
            case Reply.Done<ExecOutcome>(ExecOutcome outcome) -> outcome;
            case Reply.Refused<ExecOutcome> refused -> throw new AssertionError(refused.toString());
        };
    }

    private static String printed(String line) {
        ExecOutcome outcome = run(line);
        assertThat(outcome.succeeded()).as("%s: %s", line, outcome).isTrue();
        return outcome.stdout().head().toUtf8();
    }

    private static String url(String host, String path) {
        return "http://" + host + ":" + server.getAddress().getPort() + path;
    }

    @Test
    void aPlainRequestIsMadeByTheHost() {
        assertThat(printed("curl -sS '" + url("files.example", "/a?b=c") + "'"))
                .isEqualTo("GET /a?b=c for files.example:" + server.getAddress().getPort() + "\n");
    }

    @Test
    void aTunnelCarriesWhatIsSentAndAnswered() {
        String curl = "curl -sS --proxytunnel ";
        assertThat(printed(curl + url("a.packages.example", "/large") + " | wc -c").strip())
                .isEqualTo(Integer.toString(LARGE));
        assertThat(
                        printed(
                                "head -c "
                                        + LARGE
                                        + " /dev/zero | "
                                        + curl
                                        + "--data-binary @- "
                                        + url("files.example", "/length")))
                .isEqualTo(Integer.toString(LARGE));
    }

    @Test
    void manyConnectionsAtOnceDoNotMix() {
        String line =
                "for i in $(seq 40); do curl -sS --proxytunnel "
                        + url("files.example", "/$i")
                        + " & done; wait";
        List<String> expected =
                java.util.stream.IntStream.rangeClosed(1, 40)
                        .mapToObj(i ->
                                "GET /" + i + " for files.example:" + server.getAddress().getPort())
                        .toList();
        assertThat(printed(line).lines()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void whatTheRulesDoNotNameIsDeniedWithoutALookUp() {
        proxy.denied();
        int before = lookedUp.get();
        String out = printed("curl -sS " + url("other.example", "/"));
        assertThat(out)
                .isEqualTo(
                        "hanzo dev: other.example:"
                                + server.getAddress().getPort()
                                + " is denied: add it to 'network' of the session's policy to"
                                + " allow it.\n");
        // A port that is not the rule's, and the domain above the one that is allowed.
        assertThat(printed("curl -sS http://files.example:1/"))
                .contains("files.example:1 is denied");
        assertThat(printed("curl -sS " + url("packages.example", "/"))).contains("is denied");
        assertThat(lookedUp.get()).isEqualTo(before);
        assertThat(proxy.denied()).hasSize(3);
        assertThat(proxy.denied()).isEmpty();
    }

    @Test
    void addressesThatAreNotPublicAreDeniedByWhateverName() {
        for (String name : List.of("private", "loopback", "metadata", "unique", "mapped")) {
            String host = name + ".inside.example";
            assertThat(printed("curl -sS http://" + host + "/"))
                    .as(name)
                    .isEqualTo(
                            "hanzo dev: " + host + ":80 is denied: it is not a public address.\n");
            assertThat(run("curl -sS https://" + host + "/").stderr().head().toUtf8())
                    .as(name)
                    .contains("403");
        }
    }

    @Test
    void addressesInPlaceOfNamesAreDenied() {
        for (String address :
                List.of("127.0.0.1", "10.0.0.1", "169.254.169.254", "2130706433", "0x7f.1")) {
            String line =
                    "printf 'CONNECT %s:443 HTTP/1.1\\r\\n\\r\\n' "
                            + address
                            + " >/dev/null; exec 3<>/dev/tcp/127.0.0.1/"
                            + CellNetwork.PORT
                            + "; printf 'CONNECT "
                            + address
                            + ":443 HTTP/1.1\\r\\n\\r\\n' >&3; cat <&3";
            assertThat(printed("bash -c \"" + line + "\""))
                    .as(address)
                    .startsWith("HTTP/1.1 403 Forbidden")
                    .contains("connections go to names, not to addresses");
        }
    }

    @Test
    void thereIsNoOtherWayOut() {
        String direct =
                "env -u http_proxy curl -sS -m 5 http://127.0.0.1:"
                        + server.getAddress().getPort()
                        + "/";
        assertThat(run(direct).succeeded()).isFalse();
        assertThat(run("env -u http_proxy curl -sS -m 5 " + url("files.example", "/")).succeeded())
                .isFalse();
    }

    @Test
    void whatIsNoProxyRequestIsToldSo() {
        assertThat(printed("http_proxy= curl -sS http://127.0.0.1:" + CellNetwork.PORT + "/"))
                .contains("this is a proxy");
    }
}
