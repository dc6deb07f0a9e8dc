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
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Web requests of a session, made from the host: to public addresses only, without credentials,
 * without following redirects, and bounded. Threads: any.
 */
public final class WebEffects {
    /** The most of a body that is kept: 96 KiB. */
    static final int MAX_BODY_BYTES = 96 * 1024;

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final List<String> FORBIDDEN_HEADERS =
            List.of(
                    "host",
                    "connection",
                    "content-length",
                    "expect",
                    "upgrade",
                    "cookie",
                    "authorization",
                    "proxy-authorization");

    private final HttpClient client;
    private final Reachable reachable;

    /** Which addresses may be reached. */
    public interface Reachable {
        /** Whether a request may go to {@code address}. */
        boolean test(InetAddress address);
    }

    /** Requests to public addresses only. */
    public static WebEffects toPublicAddresses() {
        return new WebEffects(WebEffects::isPublic);
    }

    /** Requests to the addresses that {@code reachable} accepts. */
    WebEffects(Reachable reachable) {
        this.reachable = reachable;
        this.client =
                HttpClient.newBuilder()
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(TIMEOUT)
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

    private Outcome browse(Op.Browse browse) {
        Optional<Outcome> refused = refuse(browse.url());
        if (refused.isPresent()) {
            return refused.get();
        }
        try {
            HttpResponse<InputStream> response =
                    client.send(request(browse), HttpResponse.BodyHandlers.ofInputStream());
            return answer(response);
        } catch (IOException e) {
            return Outcome.of(
                    isRepeatable(browse) ? Status.FAILED : Status.IN_DOUBT,
                    "no answer from " + browse.url() + ": " + e);
        } catch (IllegalArgumentException e) {
            return Outcome.of(Status.FAILED, "the request cannot be made: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.of(Status.IN_DOUBT, "the request was interrupted");
        }
    }

    private static HttpRequest request(Op.Browse browse) {
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(URI.create(browse.url())).timeout(TIMEOUT);
        for (Op.Variable header : browse.headers()) {
            if (!FORBIDDEN_HEADERS.contains(header.name().toLowerCase(Locale.ROOT))) {
                builder.header(header.name(), header.value());
            }
        }
        if (!browse.idempotencyKey().isEmpty()) {
            builder.header("Idempotency-Key", browse.idempotencyKey());
        }
        Bytes body =
                browse.body() instanceof ai.hanzo.dev.protocol.Content.Inline(Bytes bytes)
                        ? bytes
                        : Bytes.empty();
        String method =
                browse.method().isEmpty() ? "GET" : browse.method().toUpperCase(Locale.ROOT);
        return builder.method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body.toArray()))
                .build();
    }

    private static Outcome answer(HttpResponse<InputStream> response) throws IOException {
        byte[] body;
        boolean more;
        try (InputStream in = response.body()) {
            body = in.readNBytes(MAX_BODY_BYTES);
            more = in.read() >= 0;
        }
        StringBuilder head = new StringBuilder("HTTP " + response.statusCode() + "\n");
        for (String name : List.of("content-type", "location", "content-length")) {
            response.headers()
                    .firstValue(name)
                    .ifPresent(value -> head.append(name).append(": ").append(value).append('\n'));
        }
        Bytes shown = Bytes.utf8(head.append('\n').toString()).concat(Bytes.wrap(body));
        long all =
                response.headers().firstValueAsLong("content-length").orElse(body.length)
                        + shown.length()
                        - body.length;
        return new Outcome(
                response.statusCode() < 400 ? Status.OK : Status.FAILED,
                Optional.empty(),
                shown,
                Bytes.empty(),
                Math.max(all, shown.length() + (more ? 1L : 0L)),
                0,
                more,
                List.of(),
                response.statusCode() < 400 ? "" : "HTTP status " + response.statusCode());
    }

    private Optional<Outcome> refuse(String url) {
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
        try {
            for (InetAddress address : InetAddress.getAllByName(uri.getHost())) {
                if (!reachable.test(address)) {
                    return Optional.of(
                            Outcome.of(
                                    Status.DENIED,
                                    uri.getHost()
                                            + " is not a public address; the host opens only"
                                            + " those"));
                }
            }
        } catch (UnknownHostException e) {
            return Optional.of(
                    Outcome.of(
                            Status.FAILED, "there is no host " + uri.getHost() + " to be found"));
        }
        return Optional.empty();
    }

    /**
     * Not loopback, private, link-local, multicast, shared (100.64/10), unique local or
     * IPv4-mapped.
     */
    static boolean isPublic(InetAddress address) {
        byte[] raw = address.getAddress();
        boolean special =
                address.isLoopbackAddress()
                        || address.isAnyLocalAddress()
                        || address.isLinkLocalAddress()
                        || address.isSiteLocalAddress()
                        || address.isMulticastAddress();
        if (raw.length == 4) {
            int first = raw[0] & 0xff;
            int second = raw[1] & 0xff;
            return !special
                    && first != 0
                    && first < 240
                    && !(first == 100 && second >= 64 && second < 128)
                    && !(first == 192 && second == 0)
                    && !(first == 198 && (second == 18 || second == 19));
        }
        boolean isGlobal = (raw[0] & 0xe0) == 0x20;
        boolean embedsIpv4 =
                (raw[0] == 0x20 && raw[1] == 0x02)
                        || (raw[0] == 0x20 && raw[1] == 0x01 && raw[2] == 0 && raw[3] == 0);
        return !special && isGlobal && !embedsIpv4;
    }
}
