package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.sandbox.CellException;
import ai.hanzo.dev.workspace.WorkspaceException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is broken outside, in the words of the surfaces. */
final class Failures {
    private static final Logger log = LoggerFactory.getLogger(Failures.class);

    private Failures() {}

    static <T> T guarded(Supplier<T> op) {
        try {
            return op.get();
        } catch (LedgerException e) {
            log.atWarn().addKeyValue("code", e.code()).setCause(e).log("an op failed");
            String sentence = String.valueOf(e.getMessage());
            throw switch (e.code()) {
                case DATABASE_GONE, UNKNOWN_OUTCOME, CONFLICT, CLOSED, CANNOT_START ->
                        OpException.of(OpCode.DATABASE_UNAVAILABLE, sentence, "Try again.");
                case STORAGE_FULL -> OpException.of(OpCode.STORAGE_FULL, sentence);
                case CORRUPT, WRONG_VERSION, REFUSED -> OpException.internal(sentence, e);
            };
        } catch (CellException e) {
            log.atWarn().addKeyValue("code", e.code()).setCause(e).log("an op failed");
            String next =
                    e.code() == CellException.Code.FULL
                            ? "Stop a session that is at work, or try again when one rests."
                            : "Run hanzo dev doctor to see what is missing.";
            throw OpException.of(OpCode.SANDBOX_UNAVAILABLE, String.valueOf(e.getMessage()), next);
        } catch (WorkspaceException e) {
            log.atWarn().addKeyValue("code", e.code()).setCause(e).log("an op failed");
            String sentence = String.valueOf(e.getMessage());
            throw e.code() == WorkspaceException.Code.STORAGE_FULL
                    ? OpException.of(OpCode.STORAGE_FULL, sentence)
                    : OpException.of(OpCode.CONFLICT, sentence);
        }
    }
}
