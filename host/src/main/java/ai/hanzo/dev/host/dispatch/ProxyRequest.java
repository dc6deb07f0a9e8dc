package ai.hanzo.dev.host.dispatch;

import ai.hanzo.dev.protocol.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a command asks a proxy for. Immutable.
 *
 * @param isTunnel by {@code CONNECT}; else one plain request
 * @param bytes of a plain request, the head that goes to its server: a path in place of the
 *     address, and nothing that is only for a proxy
 */
record ProxyRequest(boolean isTunnel, String host, int port, Bytes bytes) {
    private static final int MAX_HEAD_BYTES = 64 << 10;

    private static final Pattern CONNECT =
            Pattern.compile("CONNECT ([^ :/@]+):([0-9]{1,5}) HTTP/1\\.[01]");
    private static final Pattern PLAIN =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+) (http://[^ ]+) HTTP/1\\.[01]");
    private static final Pattern HEADER =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\\x00-\\x08\\x0a-\\x1f]*)");

    /** RFC 9110, section 7.6.1: for the next one on the way only; and Host, which is made anew. */
    private static final List<String> DROPPED =
            List.of("connection", "proxy-connection", "proxy-authorization", "keep-alive", "host");

    /** Reads a head; empty if it is none that a proxy takes, or too long. */
    static Optional<ProxyRequest> read(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        int left = MAX_HEAD_BYTES;
        while (true) {
            Optional<String> line = line(in, left);
            if (line.isEmpty()) {
                return Optional.empty();
            }
            if (line.get().isEmpty()) {
                return lines.isEmpty() ? Optional.empty() : of(lines);
            }
            left -= line.get().length() + 2;
            lines.add(line.get());
        }
    }

    private static Optional<String> line(InputStream in, int most) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            int b = in.read();
            if (b == '\n') {
                String text = line.toString(StandardCharsets.ISO_8859_1);
                return Optional.of(
                        text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
            }
            if (b < 0 || line.size() >= most) {
                return Optional.empty();
            }
            line.write(b);
        }
    }

    private static Optional<ProxyRequest> of(List<String> lines) {
        Matcher connect = CONNECT.matcher(lines.getFirst());
        if (connect.matches()) {
            return port(connect.group(2))
                    .map(port ->
                            new ProxyRequest(
                                    /* isTunnel= */ true, connect.group(1), port, Bytes.empty()));
        }
        Matcher plain = PLAIN.matcher(lines.getFirst());
        return plain.matches()
                ? plain(plain.group(1), plain.group(2), lines.subList(1, lines.size()))
                : Optional.empty();
    }

    private static Optional<Integer> port(String digits) {
        int port = Integer.parseInt(digits);
        return port > 0 && port <= 65_535 ? Optional.of(port) : Optional.empty();
    }

    private static Optional<ProxyRequest> plain(String method, String url, List<String> headers) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (uri.getHost() == null || uri.getRawUserInfo() != null) {
            return Optional.empty();
        }
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        StringBuilder head = new StringBuilder(method + " " + path + query + " HTTP/1.1\r\n");
        head.append("Host: ").append(uri.getRawAuthority()).append("\r\n");
        for (String header : headers) {
            Matcher one = HEADER.matcher(header);
            if (!one.matches()) {
                return Optional.empty();
            }
            if (!DROPPED.contains(one.group(1).toLowerCase(Locale.ROOT))) {
                head.append(header).append("\r\n");
            }
        }
        // One request a connection: the next one may lead elsewhere.
        head.append("Connection: close\r\n\r\n");
        return Optional.of(
                new ProxyRequest(
                        /* isTunnel= */ false,
                        uri.getHost(),
                        uri.getPort() < 0 ? 80 : uri.getPort(),
                        Bytes.wrap(head.toString().getBytes(StandardCharsets.ISO_8859_1))));
    }

    byte[] head() {
        return bytes.toArray();
    }
}
