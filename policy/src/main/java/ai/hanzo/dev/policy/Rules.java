package ai.hanzo.dev.policy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * An ordered list of rules with the digest that pins it. Immutable; any thread.
 *
 * <p>{@link #source()} is what a session stores: {@link #parse} of it gives equal rules as long as
 * the presets that it extends are the same, and {@link #digest()} tells if they are not.
 */
public final class Rules {

    private final String name;
    private final String source;
    private final List<Rule> rules;
    private final List<Destination> network;
    private final String digest;

    private Rules(String name, String source, List<Rule> rules, List<Destination> network) {
        this.name = name;
        this.source = source;
        this.rules = List.copyOf(rules);
        this.network = List.copyOf(network);
        this.digest = digestOf(rules, network);
    }

    /**
     * A preset: {@code read-only}, {@code workspace} or {@code full}.
     *
     * @throws RulesException NO_SUCH_PRESET
     */
    public static Rules preset(String name) {
        String text = Presets.text(name).orElseThrow(() -> RulesException.noSuchPreset(name));
        RulesReader.Read read = RulesReader.read(name, text);
        return new Rules(name, text, read.rules(), read.network());
    }

    /** Whether there is a preset of this name. */
    public static boolean isPreset(String name) {
        return Presets.text(name).isPresent();
    }

    /**
     * Reads rules as docs/policy.md describes them, in YAML or JSON.
     *
     * @param name what they are called if the text gives no name: usually the file's name
     * @throws RulesException with the line, if anything in it is not understood
     */
    public static Rules parse(String name, String text) {
        RulesReader.Read read = RulesReader.read(name, text);
        List<Rule> rules = new ArrayList<>(read.rules());
        List<Destination> network = new ArrayList<>(read.network());
        if (!read.base().isEmpty()) {
            Rules base = preset(read.base());
            rules.addAll(base.rules);
            network.addAll(base.network);
        }
        return new Rules(read.name(), text, rules, network);
    }

    /** The preset's or the file's name. */
    public String name() {
        return name;
    }

    /** The text that they were read from. */
    public String source() {
        return source;
    }

    /** SHA-256 over all rules, those of presets included: 64 hexadecimal digits. */
    public String digest() {
        return digest;
    }

    /** Where commands may connect to; empty: they have no network. */
    public List<Destination> network() {
        return network;
    }

    List<Rule> rules() {
        return rules;
    }

    private static String digestOf(List<Rule> rules, List<Destination> network) {
        String text = rules.stream().map(Rules::canonical).collect(Collectors.joining("\n"));
        if (!network.isEmpty()) {
            text += "\nnetwork " + quoted(network.stream().map(Destination::text).toList());
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(("rules 1\n" + text).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    // One line a rule; each part is quoted, so that no two rules are written alike.
    private static String canonical(Rule rule) {
        List<String> parts = new ArrayList<>();
        parts.add(rule.name());
        parts.add(rule.ops().stream().map(OpKind::text).collect(Collectors.joining(",")));
        parts.add(rule.conditions().toString());
        parts.add(quoted(rule.argv().stream().map(ArgvPattern::text).toList()));
        parts.add(quoted(rule.paths().stream().map(Glob::text).toList()));
        parts.add(quoted(rule.methods()));
        parts.add(quoted(rule.urls().stream().map(UrlPattern::text).toList()));
        parts.add(quoted(rule.channels().stream().map(Glob::text).toList()));
        parts.add(quoted(List.copyOf(new TreeSet<>(rule.git()))));
        parts.add(rule.verdict().text());
        parts.add(rule.reason());
        return quoted(parts);
    }

    private static String quoted(List<String> parts) {
        return parts.stream()
                .map(p -> p.length() + ":" + p)
                .collect(Collectors.joining(",", "[", "]"));
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Rules r && r.digest.equals(digest) && r.name.equals(name);
    }

    @Override
    public int hashCode() {
        return digest.hashCode();
    }

    @Override
    public String toString() {
        return name + " " + digest.substring(0, 12);
    }
}
