package ai.hanzo.dev.protocol.wire;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.dev.TextView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** What every value from a message passes before it goes into a record. */
final class Checks {
    private Checks() {}

    /** A u32 as an {@code int}: 0 to 2^31-1. */
    static int int31(long value, String name) {
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw CodecException.badValue(name + " " + value + " is not in 0..2147483647");
        }
        return (int) value;
    }

    /** A u64 as a {@code long}: 0 to 2^63-1. */
    static long long63(long value, String name) {
        if (value < 0) {
            throw CodecException.badValue(
                    name + " " + Long.toUnsignedString(value) + " is above 2^63-1");
        }
        return value;
    }

    static ActionId actionId(long value) {
        return new ActionId(atLeastOne(value, "an action id"));
    }

    static TurnId turnId(long value) {
        return new TurnId(atLeastOne(value, "a turn id"));
    }

    static Seq seq(long value) {
        return new Seq(long63(value, "an entry"));
    }

    private static long atLeastOne(long value, String name) {
        if (value < 1) {
            throw CodecException.badValue(
                    name + " of " + Long.toUnsignedString(value) + " is not in 1..2^63-1");
        }
        return value;
    }

    static Sha256 digest(byte[] bytes) {
        return new Sha256(Bytes.wrap(bytes));
    }

    static boolean hasBit(long has, int bit) {
        return (has >>> bit & 1) != 0;
    }

    /** Refuses a sum whose case is not there. */
    static void present(boolean isPresent, String name) {
        if (!isPresent) {
            throw CodecException.badValue("the struct of kind " + name + " is missing");
        }
    }

    /** The constant of the same name: the enums of the schema and of the records match by name. */
    static <E extends Enum<E>> E same(Class<E> type, Enum<?> other) {
        return Enum.valueOf(type, other.name());
    }

    static List<String> texts(int count, IntFunction<TextView> at) {
        var texts = new ArrayList<String>(count);
        for (int i = 0; i < count; i++) {
            texts.add(at.apply(i).value());
        }
        return texts;
    }

    static <T> List<T> list(int count, IntFunction<T> at) {
        var list = new ArrayList<T>(count);
        for (int i = 0; i < count; i++) {
            list.add(at.apply(i));
        }
        return list;
    }

    /** A number that the wire holds unsigned; a record with a negative one cannot be written. */
    static long unsigned(long value, String name) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " " + value + " is negative");
        }
        return value;
    }
}
