package ai.hanzo.dev.protocol.id;

import java.util.regex.Pattern;

/**
 * A profile of an organization: 1 to 64 of {@code a-z 0-9 _ -}, beginning with a letter or a digit.
 */
public record ProfileId(String value) {
    private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");

    /** Throws {@link IllegalArgumentException} when {@code value} is not of the form above. */
    public ProfileId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("'" + value + "' is not a name of the form " + FORM);
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
