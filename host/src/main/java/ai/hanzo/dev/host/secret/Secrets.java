package ai.hanzo.dev.host.secret;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The secrets that this host knows: its own, and the keys that callers bring. Held in memory only.
 * Safe for all threads.
 */
public final class Secrets {
    /** Variables that hold secrets, by a whole word of their names: a keyring is no key. */
    private static final Pattern NAMED =
            Pattern.compile(
                    ".*(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?(_.*|[0-9]*)",
                    Pattern.CASE_INSENSITIVE);

    /** They say where it is, not what it is. */
    private static final Pattern ELSEWHERE =
            Pattern.compile(".*_(FILE|PATH|DIR|URL|ID)", Pattern.CASE_INSENSITIVE);

    private final Set<String> values = new TreeSet<>(); // guarded by itself
    private volatile Redactor redactor = new Redactor(List.of());

    /** Those of an environment, by the names of its variables. */
    public static Secrets of(Map<String, String> environment) {
        Secrets secrets = new Secrets();
        secrets.add(
                environment.entrySet().stream()
                        .filter(variable -> isSecret(variable.getKey()))
                        .map(Map.Entry::getValue)
                        .toList());
        return secrets;
    }

    private static boolean isSecret(String name) {
        return NAMED.matcher(name).matches() && !ELSEWHERE.matcher(name).matches();
    }

    /** From now on these are secrets, too; what is too short for one is passed over. */
    public void add(Collection<String> more) {
        synchronized (values) {
            boolean isNew = false;
            for (String value : more) {
                String stripped = value.strip();
                isNew |= stripped.length() >= Redactor.LEAST_BYTES && values.add(stripped);
            }
            if (isNew) {
                redactor = new Redactor(values);
            }
        }
    }

    /** What masks all that is known now. */
    public Redactor redactor() {
        return redactor;
    }
}
