package ai.hanzo.dev.policy;

import java.util.Locale;

/**
 * Where commands may connect to: {@code example.com}, {@code *.example.com} for every name below
 * it, or {@code *} for every name; port 443 or 80 unless another follows, {@code example.com:8443}.
 * It says what a name may be, not what it resolves to: the proxy reaches public addresses only.
 *
 * @param text as it was written
 * @param port 0 for 80 and 443
 */
public record Destination(String text, String name, int port) {

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if it is not of that form
     */
    public static Destination of(String text) {
        int colon = text.indexOf(':');
        String name = (colon < 0 ? text : text.substring(0, colon)).toLowerCase(Locale.ROOT);
        String plain = name.startsWith("*.") ? name.substring(2) : name;
        boolean isName =
                name.equals("*")
                        || plain.matches("[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\\.[a-z0-9_-]+)+");
        String port = colon < 0 ? "0" : text.substring(colon + 1);
        if (!isName
                || plain.matches("[0-9.]+")
                || !port.matches("[0-9]{1,5}")
                || Integer.parseInt(port) > 65_535
                || (colon >= 0 && Integer.parseInt(port) == 0)) {
            throw new IllegalArgumentException(
                    "'"
                            + text
                            + "' is no destination: write example.com, *.example.com or *, and a"
                            + " port if it is not 80 or 443");
        }
        return new Destination(text, name, Integer.parseInt(port));
    }

    /** Whether a connection to this name and port may be made, as far as this one says. */
    public boolean allows(String host, int toPort) {
        boolean isPort = port == 0 ? toPort == 80 || toPort == 443 : toPort == port;
        String asked = host.toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
        boolean isName =
                name.equals("*")
                        || asked.equals(name)
                        || (name.startsWith("*.")
                                && asked.length() > name.length() - 1
                                && asked.endsWith(name.substring(1)));
        return isPort && isName;
    }
}
