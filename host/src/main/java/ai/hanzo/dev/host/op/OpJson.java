package ai.hanzo.dev.host.op;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.util.JsonFormat;

/**
 * The JSON of every surface: the protobuf JSON mapping, with fields that cannot be absent always
 * there. Any thread.
 */
public final class OpJson {
    private static final JsonFormat.Printer PRINTER =
            JsonFormat.printer()
                    .alwaysPrintFieldsWithNoPresence()
                    .omittingInsignificantWhitespace();
    private static final JsonFormat.Parser PARSER = JsonFormat.parser();

    private OpJson() {}

    /** On one line. */
    public static String print(MessageOrBuilder message) {
        try {
            return PRINTER.print(message);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(
                    "only an Any of an unknown type cannot be printed", e);
        }
    }

    /**
     * Reads strictly: an unknown field is refused.
     *
     * @throws InvalidProtocolBufferException with a sentence that names the field
     */
    public static void merge(String json, Message.Builder into)
            throws InvalidProtocolBufferException {
        PARSER.merge(json, into);
    }
}
