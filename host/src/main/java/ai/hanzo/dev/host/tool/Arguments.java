package ai.hanzo.dev.host.tool;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The arguments of one call, already checked against the schema. Used by one thread. */
final class Arguments {
    private final JsonNode value;
    private final Function<Bytes, Content> content;

    Arguments(JsonNode value, Function<Bytes, Content> content) {
        this.value = value;
        this.content = content;
    }

    /** What the schema cannot say is wrong. Never leaves this package. */
    static final class Unfit extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unfit(String message) {
            super(message);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    boolean has(String name) {
        return value.hasNonNull(name);
    }

    String text(String name) {
        return value.path(name).asText("");
    }

    Optional<String> optionalText(String name) {
        return has(name) ? Optional.of(text(name)) : Optional.empty();
    }

    Content content(String name) {
        return has(name) ? content.apply(Bytes.utf8(text(name))) : Content.NONE;
    }

    Content content(byte[] bytes) {
        return content.apply(Bytes.wrap(bytes));
    }

    long number(String name) {
        return value.path(name).asLong(0);
    }

    int smallNumber(String name) {
        return Math.toIntExact(number(name));
    }

    boolean isTrue(String name) {
        return value.path(name).asBoolean(false);
    }

    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        value.path(name).forEach(item -> texts.add(item.asText()));
        return texts;
    }

    List<Arguments> objects(String name) {
        List<Arguments> objects = new ArrayList<>();
        value.path(name).forEach(item -> objects.add(new Arguments(item, content)));
        return objects;
    }

    List<Op.Variable> variables(String name) {
        List<Op.Variable> variables = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : value.path(name).properties()) {
            if (field.getKey().isEmpty()
                    || field.getKey().indexOf('=') >= 0
                    || field.getKey().indexOf('\0') >= 0) {
                throw new Unfit("'" + field.getKey() + "' in '" + name + "' is no name");
            }
            variables.add(new Op.Variable(field.getKey(), field.getValue().asText()));
        }
        return variables;
    }
}
