package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.protocol.id.ActionId;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Ids of shells. In a cell a shell is an action; its number lies in the upper half, far above those
 * that a core counts up to, so that it meets none of them and no low-water mark. Outside it is
 * {@code shl_} and sixteen hexadecimal digits.
 */
final class ShellIds {
    private static final long LOWEST = 1L << 62;
    private static final String PREFIX = "shl_";
    private static final Pattern FORM = Pattern.compile("shl_[4-7][0-9a-f]{15}");

    private ShellIds() {}

    static ActionId fresh(RandomGenerator random) {
        return new ActionId(LOWEST | (random.nextLong() & (LOWEST - 1)));
    }

    static String text(ActionId id) {
        return PREFIX + Long.toHexString(id.value());
    }

    /** Throws {@link OpException} for what is no id of a shell. */
    static ActionId parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw OpException.notFound("shell", text);
        }
        return new ActionId(Long.parseLong(text.substring(PREFIX.length()), 16));
    }
}
