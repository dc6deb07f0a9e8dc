package ai.hanzo.dev.policy;

import ai.hanzo.dev.protocol.Op;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The operations as rules name them. */
enum OpKind {
    READ,
    LIST,
    SEARCH,
    STAT,
    WRITE,
    PATCH,
    EXEC,
    GIT,
    BROWSE,
    SEND,
    ASK,
    MODEL,
    EMIT,
    SAVE,
    DONE;

    static OpKind of(Op op) {
        return switch (op) {
            case Op.ModelAsk _ -> MODEL;
            case Op.Read _ -> READ;
            case Op.Write _ -> WRITE;
            case Op.Patch _ -> PATCH;
            case Op.Exec _ -> EXEC;
            case Op.Git _ -> GIT;
            case Op.Browse _ -> BROWSE;
            case Op.Ask _ -> ASK;
            case Op.Send _ -> SEND;
            case Op.Emit _ -> EMIT;
            case Op.Save _ -> SAVE;
            case Op.Done _ -> DONE;
            case Op.ListFiles _ -> LIST;
            case Op.Search _ -> SEARCH;
            case Op.Stat _ -> STAT;
        };
    }

    /** Whether it names a path of the workspace. */
    boolean hasPath() {
        return compareTo(PATCH) <= 0;
    }

    /** Whether it changes files by itself. */
    boolean isWriting() {
        return this == WRITE || this == PATCH;
    }

    /** The session's own book-keeping: no rule can stop it. */
    boolean isOwn() {
        return this == EMIT || this == SAVE || this == DONE;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<OpKind> named(String text) {
        return Arrays.stream(values()).filter(k -> k.text().equals(text)).findFirst();
    }

    static String names() {
        return Arrays.stream(values())
                .filter(k -> !k.isOwn())
                .map(OpKind::text)
                .collect(Collectors.joining(", "));
    }
}
