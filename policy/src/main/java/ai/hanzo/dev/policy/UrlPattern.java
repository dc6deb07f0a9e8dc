package ai.hanzo.dev.policy;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * A web address as rules write it: {@code https://*.example.com/docs/**}. Scheme, host, port and
 * path are compared one by one, so no address can pretend to be on another host.
 *
 * @param text as it was written
 */
record UrlPattern(String text, Glob scheme, Glob host, Glob port, Glob path) {

    /** What of an address is judged; the query and the fragment are not. */
    record Address(String scheme, String host, String port, String path) {

        /** Empty if the address is not of the plain kind that can be judged by its letters. */
        static Optional<Address> of(String url) {
            try {
                URI uri = new URI(url);
                String scheme = uri.getScheme();
                String host = uri.getHost();
                if (scheme == null || host == null || uri.getRawUserInfo() != null) {
                    return Optional.empty();
                }
                String path = uri.normalize().getRawPath();
                boolean tricky = path.contains("..") || path.matches("(?i).*(%2e|%2f|%5c|\\\\).*");
                if (tricky || !scheme.toLowerCase(Locale.ROOT).matches("https?")) {
                    return Optional.empty();
                }
                String plain = scheme.toLowerCase(Locale.ROOT);
                int standard = plain.equals("https") ? 443 : 80;
                int port = uri.getPort() < 0 ? standard : uri.getPort();
                return Optional.of(
                        new Address(
                                plain,
                                host.toLowerCase(Locale.ROOT).replaceFirst("\\.$", ""),
                                String.valueOf(port),
                                path.isEmpty() ? "/" : path));
            } catch (URISyntaxException _) {
                return Optional.empty();
            }
        }
    }

    /**
     * Compiles {@code text}.
     *
     * @throws IllegalArgumentException if it is not {@code scheme://host[:port]/path}
     */
    static UrlPattern of(String text) {
        int slashes = text.indexOf("://");
        int path = slashes < 0 ? -1 : text.indexOf('/', slashes + 3);
        if (slashes <= 0 || path < 0 || path == slashes + 3) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not of the form https://host/path");
        }
        String scheme = text.substring(0, slashes).toLowerCase(Locale.ROOT);
        String authority = text.substring(slashes + 3, path).toLowerCase(Locale.ROOT);
        int colon = authority.lastIndexOf(':');
        if (authority.contains("@")) {
            throw new IllegalArgumentException("'" + text + "' names a user; leave it out");
        }
        String host = colon < 0 ? authority : authority.substring(0, colon);
        String standard =
                switch (scheme) {
                    case "https" -> "443";
                    case "http" -> "80";
                    case "*" -> "*";
                    default ->
                            throw new IllegalArgumentException(
                                    "'" + scheme + "' is neither https nor http nor *");
                };
        return new UrlPattern(
                text,
                Glob.of(scheme, '/'),
                Glob.of(host, '.'),
                Glob.of(colon < 0 ? standard : authority.substring(colon + 1), '.'),
                Glob.of(text.substring(path), '/'));
    }

    boolean matches(Address address) {
        return scheme.matches(address.scheme())
                && host.matches(address.host())
                && port.matches(address.port())
                && path.matches(address.path());
    }
}
