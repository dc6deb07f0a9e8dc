package ai.hanzo.dev.host.op;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/**
 * What an idempotency key is compared with: SHA-256 of the request without the key itself and
 * without the caller's provider variables, which may rotate and are never stored.
 */
public final class RequestDigest {
    private static final Set<String> LEFT_OUT = Set.of("idempotency_key", "env");

    private RequestDigest() {}

    /** 64 hex digits; the same for equal requests, in this build and the next ones. */
    public static String of(Message request) {
        Message.Builder rest = request.toBuilder();
        for (FieldDescriptor field : request.getDescriptorForType().getFields()) {
            if (LEFT_OUT.contains(field.getName())) {
                rest.clearField(field);
            }
        }
        var bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.useDeterministicSerialization();
        try {
            rest.build().writeTo(out);
            out.flush();
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(request.getDescriptorForType().getFullName().getBytes(UTF_8));
            sha.update((byte) 0);
            return HexFormat.of().formatHex(sha.digest(bytes.toByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }
}
