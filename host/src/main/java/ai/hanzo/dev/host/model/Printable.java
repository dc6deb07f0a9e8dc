package ai.hanzo.dev.host.model;

import ai.hanzo.dev.protocol.Bytes;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Bytes as text: UTF-8 as it is, every other byte and NUL as {@code \xNN}. Pure. */
public final class Printable {
    private Printable() {}

    /** The text of {@code bytes}. */
    public static String text(Bytes bytes) {
        StringBuilder text = new StringBuilder(bytes.length());
        append(bytes, text);
        return text.toString();
    }

    static void append(Bytes bytes, StringBuilder text) {
        CharsetDecoder decoder =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = bytes.toBuffer();
        CharBuffer out = CharBuffer.allocate(8192);
        while (true) {
            CoderResult result = decoder.decode(in, out, /* endOfInput= */ true);
            drain(out, text);
            if (result.isError()) {
                for (int i = 0; i < result.length(); i++) {
                    escape(in.get(), text);
                }
                decoder.reset();
            } else if (result.isUnderflow()) {
                return;
            }
        }
    }

    private static void drain(CharBuffer out, StringBuilder text) {
        out.flip();
        while (out.hasRemaining()) {
            char c = out.get();
            if (c == '\0') {
                escape((byte) 0, text);
            } else {
                text.append(c);
            }
        }
        out.clear();
    }

    private static void escape(byte value, StringBuilder text) {
        text.append(String.format("\\x%02x", value));
    }
}
