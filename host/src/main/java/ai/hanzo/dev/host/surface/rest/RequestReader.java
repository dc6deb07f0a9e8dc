package ai.hanzo.dev.host.surface.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.host.op.Op;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.OpJson;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Makes an op's request from path, query, headers and body. Strict: what it does not know it
 * refuses, and of malformed JSON it names line and column. Any thread.
 */
final class RequestReader {
    private static final String KEY_HEADER = "Idempotency-Key";
    private static final int MAX_KEY_CHARACTERS = 255;

    private final int maxBodyBytes;
    private final JsonFactory json;

    RequestReader(int maxBodyBytes) {
        this.maxBodyBytes = maxBodyBytes;
        this.json =
                JsonFactory.builder()
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .streamReadConstraints(
                                StreamReadConstraints.builder()
                                        .maxNestingDepth(64)
                                        .maxStringLength(maxBodyBytes)
                                        .build())
                        .build();
    }

    /**
     * The request of an op.
     *
     * @throws OpException when any part of it cannot be
     */
    Message read(Op op, Context context) {
        Message.Builder request = op.requestPrototype().newBuilderForType();
        if (op.options().getMethod().equals("POST")) {
            refuseQuery(context);
            merge(body(context), request);
        } else {
            refuseBody(context);
            merge(query(context), request);
        }
        for (FieldDescriptor field : op.pathFields()) {
            refuseTwice(request, field, "is given by the path");
            request.setField(field, context.pathParam(field.getName()));
        }
        op.idempotencyField().ifPresent(field -> key(context, request, field));
        Message read = request.build();
        refuseNul(read, "");
        return read;
    }

    /**
     * Merges the JSON body of a request that is no op.
     *
     * @throws OpException when any part of it cannot be
     */
    void read(Context context, Message.Builder into) {
        refuseQuery(context);
        merge(body(context), into);
        refuseNul(into.buildPartial(), "");
    }

    /**
     * Merges the query of a request whose body is a file.
     *
     * @throws OpException when any part of it cannot be
     */
    void readQuery(Context context, Message.Builder into) {
        merge(query(context), into);
        refuseNul(into.buildPartial(), "");
    }

    /** The database's text holds every character but this one, and no name of a file does. */
    private static void refuseNul(Message message, String within) {
        for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
            String name = within + field.getKey().getJsonName();
            List<?> values =
                    field.getValue() instanceof List<?> many ? many : List.of(field.getValue());
            for (Object value : values) {
                if (value instanceof String text && text.indexOf(0) >= 0) {
                    throw OpException.invalid(name, "has a character U+0000");
                }
                if (value instanceof Message inner) {
                    refuseNul(inner, name + ".");
                }
            }
        }
    }

    private static void refuseTwice(Message.Builder request, FieldDescriptor field, String why) {
        Object value = request.getField(field);
        if (!value.equals(field.getDefaultValue())) {
            throw OpException.invalid(field.getJsonName(), why + "; leave it out of the request");
        }
    }

    private static void key(Context context, Message.Builder request, FieldDescriptor field) {
        String key = context.header(KEY_HEADER);
        if (key == null) {
            return;
        }
        if (key.isBlank() || key.length() > MAX_KEY_CHARACTERS) {
            throw OpException.invalid(KEY_HEADER, "has 1 to " + MAX_KEY_CHARACTERS + " characters");
        }
        if (request.hasField(field) && !request.getField(field).equals(key)) {
            throw OpException.invalid(field.getJsonName(), "differs from the header " + KEY_HEADER);
        }
        request.setField(field, key);
    }

    private static void refuseQuery(Context context) {
        context.queryParamMap().keySet().stream()
                .findFirst()
                .ifPresent(name -> {
                    throw OpException.of(
                            OpCode.UNKNOWN_FIELD,
                            "The query parameter " + name + " means nothing here.",
                            "Put it into the JSON body.");
                });
    }

    private void refuseBody(Context context) {
        if (readBody(context).length > 0) {
            throw OpException.of(
                    OpCode.INVALID_ARGUMENT, "A body means nothing here.", "Use query parameters.");
        }
    }

    /** The query as a JSON object of strings: the JSON mapping reads numbers from strings too. */
    private String query(Context context) {
        var text = new StringWriter();
        try (JsonGenerator object = json.createGenerator(text)) {
            object.writeStartObject();
            for (Map.Entry<String, List<String>> parameter : context.queryParamMap().entrySet()) {
                if (parameter.getValue().size() != 1) {
                    throw OpException.invalid(parameter.getKey(), "is given more than once");
                }
                object.writeStringField(parameter.getKey(), parameter.getValue().getFirst());
            }
            object.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private String body(Context context) {
        byte[] body = readBody(context);
        if (body.length == 0) {
            return "{}";
        }
        requireJson(context.contentType());
        check(body);
        return new String(body, UTF_8);
    }

    private byte[] readBody(Context context) {
        if (context.req().getContentLengthLong() > maxBodyBytes) {
            throw tooLarge();
        }
        try (InputStream in = context.req().getInputStream()) {
            byte[] body = in.readNBytes(maxBodyBytes + 1);
            if (body.length > maxBodyBytes) {
                throw tooLarge();
            }
            return body;
        } catch (IOException e) {
            throw new UncheckedIOException("the body broke off", e);
        }
    }

    private OpException tooLarge() {
        return OpException.of(
                OpCode.PAYLOAD_TOO_LARGE,
                "The body has more than " + maxBodyBytes + " bytes.",
                "Put large things into the workspace.");
    }

    private static void requireJson(@org.jspecify.annotations.Nullable String type) {
        String named = type == null ? "" : type.toLowerCase(Locale.ROOT).split(";", 2)[0].strip();
        if (!named.equals("application/json")) {
            throw OpException.of(
                    OpCode.UNSUPPORTED_MEDIA_TYPE,
                    named.isEmpty()
                            ? "The body has no Content-Type."
                            : "The body is " + named + ".",
                    "Send JSON with the header Content-Type: application/json.");
        }
    }

    /** Reads all tokens, for a position that the protobuf parser cannot give. */
    private void check(byte[] body) {
        try (JsonParser parser = json.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw malformed("it is not an object", parser.currentTokenLocation());
            }
            parser.skipChildren();
            if (parser.currentToken() == null) {
                throw malformed("it ends too early", parser.currentLocation());
            }
            if (parser.nextToken() != null) {
                throw malformed("something follows the object", parser.currentTokenLocation());
            }
        } catch (JsonProcessingException e) {
            throw malformed(
                    Optional.ofNullable(e.getOriginalMessage()).orElse("it cannot be read"),
                    e.getLocation());
        } catch (IOException e) {
            throw malformed("it is not UTF-8", JsonLocation.NA);
        }
    }

    private static OpException malformed(String why, JsonLocation at) {
        OpException refusal = OpException.of(OpCode.MALFORMED_JSON, "The body: " + why + ".");
        return at == null || at.getLineNr() < 1
                ? refusal
                : refusal.at(at.getLineNr(), Math.max(1, at.getColumnNr()));
    }

    private static void merge(String text, Message.Builder request) {
        try {
            OpJson.merge(text, request);
        } catch (InvalidProtocolBufferException e) {
            String why = Optional.ofNullable(e.getMessage()).orElse("cannot be read");
            if (why.startsWith("Cannot find field: ")) {
                String field = why.substring("Cannot find field: ".length()).split(" ", 2)[0];
                throw OpException.of(
                        OpCode.UNKNOWN_FIELD,
                        "There is no field " + field + " in this request.",
                        "Look at the names in docs/api.md.");
            }
            throw OpException.of(OpCode.INVALID_ARGUMENT, why);
        }
    }
}
