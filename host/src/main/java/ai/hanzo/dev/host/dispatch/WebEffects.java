package ai.hanzo.dev.host.dispatch;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.Outcome.Status;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.io.Closer;
import org.apache.hc.core5.util.Timeout;

/**
 * Web requests of a session, made from the host: to public addresses only, without credentials, and
 * bounded. Redirects are told, not followed: where one leads is another action, decided and checked
 * anew. Each request has a connection of its own, to an address that was checked. Threads: any.
 */
public final class WebEffects implements AutoCloseable {
    /** The most of a body that is kept: 96 KiB. */
    static final int MAX_BODY_BYTES = 96 * 1024;

    /** To connect, and for each silence of the other side. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** For all of a request. */
    private static final Duration WHOLE = Duration.ofSeconds(90);

    /** RFC 9110, section 5.6.2. */
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private static final List<String> FORBIDDEN_HEADERS =
            List.of(
                    "host",
                    "connection",
                    "content-length",
                    "transfer-encoding",
                    "te",
                    "trailer",
                    "keep-alive",
                    "expect",
                    "upgrade",
                    "cookie",
                    "authorization",
                    "proxy-authorization",
                    "proxy-connection");

    private final CloseableHttpClient client;
    private final Duration whole;

    /** Which addresses may be reached. */
    public interface Reachable {
        /** Whether a request may go to {@code address}. */
        boolean test(InetAddress address);
    }

    /** Requests to public addresses only. */
    public static WebEffects toPublicAddresses() {
        return new WebEffects(
                new CheckedNames(InetAddress::getAllByName, CheckedNames::isPublic), WHOLE);
    }

    /** Requests to the addresses that {@code names} gives, each ended after {@code whole}. */
    WebEffects(CheckedNames names, Duration whole) {
        this.whole = whole;
        Timeout timeout = Timeout.of(TIMEOUT);
        this.client =
                HttpClients.custom()
                        .setConnectionManager(
                                PoolingHttpClientConnectionManagerBuilder.create()
                                        .setDnsResolver(names)
                                        .setDefaultConnectionConfig(
                                                ConnectionConfig.custom()
                                                        .setConnectTimeout(timeout)
                                                        .setSocketTimeout(timeout)
                                                        .build())
                                        .build())
                        .setDefaultRequestConfig(
                                RequestConfig.custom().setResponseTimeout(timeout).build())
                        .setConnectionReuseStrategy((_, _, _) -> false)
                        .setUserAgent("hanzo-dev")
                        .disableRedirectHandling()
                        .disableAutomaticRetries()
                        .disableCookieManagement()
                        .disableAuthCaching()
                        .disableContentCompression()
                        .build();
    }

    /** Whether doing {@code op} a second time does no more than doing it once. */
    public static boolean isRepeatable(Op op) {
        return switch (op) {
            case Op.Browse browse -> {
                String method = browse.method().toUpperCase(Locale.ROOT);
                yield method.isEmpty() || method.equals("GET") || method.equals("HEAD");
            }
            case Op.Send _, Op.Exec _, Op.Git _, Op.Write _, Op.Patch _ -> false;
            case Op.Read _,
                    Op.ListFiles _,
                    Op.Search _,
                    Op.Stat _,
                    Op.ModelAsk _,
                    Op.Ask _,
                    Op.Emit _,
                    Op.Save _,
                    Op.Done _ ->
                    true;
        };
    }

    /** Makes the request. Whatever goes wrong outside is an outcome. */
    public Outcome run(Action action) {
        return switch (action.op()) {
            case Op.Browse browse -> browse(browse);
            case Op.Send send ->
                    Outcome.of(
                            Status.FAILED,
                            "no channel '" + send.channel() + "' is connected to this host");
            case Op.Read _,
                    Op.Write _,
                    Op.Patch _,
                    Op.Exec _,
                    Op.Git _,
                    Op.ListFiles _,
                    Op.Search _,
                    Op.Stat _,
                    Op.ModelAsk _,
                    Op.Ask _,
                    Op.Emit _,
                    Op.Save _,
                    Op.Done _ ->
                    throw new IllegalArgumentException(action.id() + " is no web request");
        };
    }

    Outcome browse(Op.Browse browse) {
        Optional<Outcome> refused = refuse(browse.url());
        if (refused.isPresent()) {
            return refused.get();
        }
        HttpUriRequestBase request;
        try {
            request = request(browse);
        } catch (IllegalArgumentException e) {
            return Outcome.of(Status.FAILED, "the request cannot be made: " + e.getMessage());
        }
        try (var tasks = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Outcome> outcome = tasks.submit(() -> exchange(browse, request));
            try {
                return outcome.get(whole.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                return noAnswer(browse, "nothing whole within " + whole.toSeconds() + " s");
            } catch (ExecutionException e) {
                throw new IllegalStateException("a web request failed", e.getCause());
            } finally {
                request.cancel();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.of(Status.IN_DOUBT, "the request was interrupted");
        }
    }

    private Outcome exchange(Op.Browse browse, HttpUriRequestBase request) {
        HttpHost target =
                new HttpHost(
                        request.getScheme(),
                        request.getAuthority().getHostName(),
                        request.getAuthority().getPort());
        try {
            ClassicHttpResponse response = client.executeOpen(target, request, /* context= */ null);
            try {
                return answer(response);
            } finally {
                // First cancelled: closing alone would read the rest, however long it is.
                request.cancel();
                Closer.closeQuietly(response);
            }
        } catch (CheckedNames.Refused e) {
            return Outcome.of(Status.DENIED, String.valueOf(e.getMessage()));
        } catch (UnknownHostException e) {
            return Outcome.of(
                    Status.FAILED, "there is no host " + target.getHostName() + " to be found");
        } catch (IOException e) {
            return noAnswer(browse, e.toString());
        }
    }

    private static Outcome noAnswer(Op.Browse browse, String why) {
        return Outcome.of(
                isRepeatable(browse) ? Status.FAILED : Status.IN_DOUBT,
                "no answer from " + browse.url() + ": " + why);
    }

    private static HttpUriRequestBase request(Op.Browse browse) {
        String method =
                browse.method().isEmpty() ? "GET" : browse.method().toUpperCase(Locale.ROOT);
        var request = new HttpUriRequestBase(token(method, "method"), URI.create(browse.url()));
        for (Op.Variable header : browse.headers()) {
            if (!FORBIDDEN_HEADERS.contains(header.name().toLowerCase(Locale.ROOT))) {
                request.addHeader(token(header.name(), "header"), value(header));
            }
        }
        if (!browse.idempotencyKey().isEmpty()) {
            request.setHeader("Idempotency-Key", browse.idempotencyKey());
        }
        if (browse.body() instanceof ai.hanzo.dev.protocol.Content.Inline(Bytes bytes)
                && !bytes.isEmpty()) {
            // Its type is a header of the action, if it has one.
            request.setEntity(new ByteArrayEntity(bytes.toArray(), /* contentType= */ null));
        }
        return request;
    }

    private static String token(String text, String what) {
        if (!TOKEN.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is no " + what);
        }
        return text;
    }

    private static String value(Op.Variable header) {
        if (header.value().chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7f)) {
            throw new IllegalArgumentException(
                    "the value of the header " + header.name() + " has control characters");
        }
        return header.value();
    }

    private static Outcome answer(ClassicHttpResponse response) throws IOException {
        byte[] body = {};
        boolean more = false;
        HttpEntity entity = response.getEntity();
        if (entity != null) {
            InputStream in = entity.getContent();
            body = in.readNBytes(MAX_BODY_BYTES);
            more = body.length == MAX_BODY_BYTES && in.read() >= 0;
        }
        int status = response.getCode();
        StringBuilder head = new StringBuilder("HTTP " + status + "\n");
        for (String name : List.of("content-type", "location", "content-length")) {
            Header header = response.getFirstHeader(name);
            if (header != null) {
                head.append(name).append(": ").append(header.getValue()).append('\n');
            }
        }
        Bytes shown = Bytes.utf8(head.append('\n').toString()).concat(Bytes.wrap(body));
        long announced = entity == null ? 0 : Math.max(entity.getContentLength(), body.length);
        return new Outcome(
                status < 400 ? Status.OK : Status.FAILED,
                Optional.empty(),
                shown,
                Bytes.empty(),
                Math.max(
                        announced + shown.length() - body.length,
                        shown.length() + (more ? 1L : 0L)),
                0,
                more,
                List.of(),
                status < 400 ? "" : "HTTP status " + status);
    }

    private static Optional<Outcome> refuse(String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            return Optional.of(Outcome.of(Status.FAILED, "not a URL: " + e.getMessage()));
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            return Optional.of(
                    Outcome.of(Status.DENIED, "only http and https URLs can be opened: " + url));
        }
        if (uri.getHost() == null || uri.getUserInfo() != null) {
            return Optional.of(
                    Outcome.of(Status.DENIED, "the URL needs a host and no user name: " + url));
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        client.close(CloseMode.IMMEDIATE);
    }
}
