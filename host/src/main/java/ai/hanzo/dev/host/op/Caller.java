package ai.hanzo.dev.host.op;

/**
 * Who asks for an op, as the surface has authenticated them. Immutable.
 *
 * @param org the organisation whose sessions are seen; those of another do not exist for the caller
 * @param name who it is, for the audit: {@code local}, a user, a key's name
 * @param local true for the owner of this machine's host: may name workspace paths and send
 *     provider variables
 */
public record Caller(String org, String name, boolean local) {
    public Caller {
        if (org.isBlank() || name.isBlank()) {
            throw new IllegalArgumentException(
                    "a caller has an org and a name: " + org + "/" + name);
        }
    }

    /** The owner of a laptop's host: org {@code local}. */
    public static Caller localOwner() {
        return new Caller("local", "local", true);
    }
}
