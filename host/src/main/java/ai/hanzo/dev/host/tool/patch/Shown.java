package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.protocol.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Bytes as a person or a model can read them in a sentence. */
final class Shown {

    private static final int MAX_CHARACTERS = 120;

    private Shown() {}

    /** In quotes, cut when long; what is no printable UTF-8 as {@code \xNN}. */
    static String of(Bytes line) {
        String text = decode(line);
        StringBuilder out = new StringBuilder("\"");
        int end = Math.min(text.length(), MAX_CHARACTERS);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\t' -> out.append("\\t");
                case '\r' -> out.append("\\r");
                case '"' -> out.append("\\\"");
                case '\uFEFF' -> out.append("\\uFEFF");
                default -> out.append(c < ' ' ? "\\x%02x".formatted((int) c) : String.valueOf(c));
            }
        }
        return out.append(end < text.length() ? "…\"" : "\"").toString();
    }

    private static String decode(Bytes line) {
        try {
            ByteBuffer buffer = line.toBuffer();
            return StandardCharsets.UTF_8.newDecoder().decode(buffer).toString();
        } catch (CharacterCodingException e) {
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < Math.min(line.length(), MAX_CHARACTERS + 1); i++) {
                int b = line.at(i) & 0xff;
                out.append(b < 0x80 ? String.valueOf((char) b) : "\\x%02x".formatted(b));
            }
            return out.toString();
        }
    }
}
