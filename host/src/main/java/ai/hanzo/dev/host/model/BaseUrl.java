package ai.hanzo.dev.host.model;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The addresses of providers as people write them. Pure. */
final class BaseUrl {
    private BaseUrl() {}

    /** An http or https address; one without a scheme gets {@code scheme}. */
    static Optional<URI> parse(String text, String scheme) {
        String whole = text.contains("://") ? text : scheme + "://" + text;
        try {
            URI url = new URI(whole);
            String found = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
            return url.getHost() != null && List.of("http", "https").contains(found)
                    ? Optional.of(url)
                    : Optional.empty();
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    /** With {@code /v1} at the end, unless the path ends with a version already. */
    static String versioned(URI url) {
        String text = url.toString().replaceAll("/+$", "");
        return text.matches(".*/v\\d+\\w*") ? text : text + "/v1";
    }
}
