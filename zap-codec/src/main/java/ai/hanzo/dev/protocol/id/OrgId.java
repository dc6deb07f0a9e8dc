package ai.hanzo.dev.protocol.id;

import java.util.regex.Pattern;

/** An organization: 1 to 64 of {@code a-z 0-9 _ -}, beginning with a letter or a digit. */
public record OrgId(String value) {
    private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");

    /** Throws {@link IllegalArgumentException} when {@code value} is not of the form above. */
    public OrgId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("'" + value + "' is not a name of the form " + FORM);
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
