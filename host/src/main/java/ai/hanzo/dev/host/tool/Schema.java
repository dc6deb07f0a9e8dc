package ai.hanzo.dev.host.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Checks a JSON value against the part of JSON Schema that our tools use: type, properties,
 * required, additionalProperties, items, enum, pattern (of the whole string), minimum, maximum,
 * minLength, minItems. A null for a property that is not required counts as left out. Pure.
 *
 * <p>Source of the keywords: JSON Schema 2020-12, validation vocabulary.
 */
final class Schema {
    private Schema() {}

    /** What is wrong with {@code value}, naming the field; empty if nothing is. */
    static Optional<String> fault(JsonNode schema, JsonNode value) {
        return fault(schema, value, "");
    }

    private static Optional<String> fault(JsonNode schema, JsonNode value, String where) {
        String type = schema.path("type").asText("");
        if (!isOf(type, value)) {
            return Optional.of(
                    name(where) + " must be " + article(schema) + ", not " + described(value));
        }
        return switch (type) {
            case "object" -> objectFault(schema, value, where);
            case "array" -> arrayFault(schema, value, where);
            case "string" -> stringFault(schema, value.asText(), where);
            case "integer" -> rangeFault(schema, value, where);
            default -> Optional.empty();
        };
    }

    private static boolean isOf(String type, JsonNode value) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "boolean" -> value.isBoolean();
            case "integer" -> value.isIntegralNumber() && value.canConvertToLong();
            case "number" -> value.isNumber();
            default -> true;
        };
    }

    private static Optional<String> objectFault(JsonNode schema, JsonNode value, String where) {
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        for (String name : required) {
            if (!value.hasNonNull(name)) {
                return Optional.of(
                        name(inner(where, name))
                                + " is missing: it must be "
                                + article(schema.path("properties").path(name)));
            }
        }
        JsonNode others = schema.path("additionalProperties");
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            JsonNode known = schema.path("properties").path(field.getKey());
            String inner = inner(where, field.getKey());
            if (known.isMissingNode() && !others.isObject()) {
                return Optional.of(name(inner) + " is not known; " + known(schema));
            }
            if (!known.isMissingNode() && field.getValue().isNull()) {
                continue;
            }
            Optional<String> fault =
                    fault(known.isMissingNode() ? others : known, field.getValue(), inner);
            if (fault.isPresent()) {
                return fault;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> arrayFault(JsonNode schema, JsonNode value, String where) {
        int least = schema.path("minItems").asInt(0);
        if (value.size() < least) {
            return Optional.of(name(where) + " must have at least " + least + " items");
        }
        for (int i = 0; i < value.size(); i++) {
            Optional<String> fault =
                    fault(schema.path("items"), value.get(i), where + "[" + i + "]");
            if (fault.isPresent()) {
                return fault;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> stringFault(JsonNode schema, String text, String where) {
        JsonNode choices = schema.path("enum");
        if (choices.isArray()) {
            List<String> allowed = new ArrayList<>();
            choices.forEach(choice -> allowed.add(choice.asText()));
            if (!allowed.contains(text)) {
                return Optional.of(name(where) + " must be one of " + String.join(", ", allowed));
            }
        }
        if (text.length() < schema.path("minLength").asInt(0)) {
            return Optional.of(name(where) + " must not be empty");
        }
        JsonNode pattern = schema.path("pattern");
        if (pattern.isTextual() && !Pattern.matches(pattern.asText(), text)) {
            return Optional.of(
                    name(where)
                            + " must look like "
                            + pattern.asText()
                            + ", and '"
                            + text
                            + "' does not");
        }
        return Optional.empty();
    }

    private static Optional<String> rangeFault(JsonNode schema, JsonNode value, String where) {
        long number = value.asLong();
        long least = schema.path("minimum").asLong(Long.MIN_VALUE);
        long most = schema.path("maximum").asLong(Long.MAX_VALUE);
        if (number < least || number > most) {
            String range =
                    schema.has("maximum") ? "from " + least + " to " + most : "at least " + least;
            return Optional.of(name(where) + " must be " + range + ", and " + number + " is not");
        }
        return Optional.empty();
    }

    private static String inner(String where, String name) {
        return where.isEmpty() ? name : where + "." + name;
    }

    private static String name(String where) {
        return where.isEmpty() ? "the arguments" : "'" + where + "'";
    }

    private static String known(JsonNode schema) {
        List<String> names = new ArrayList<>();
        schema.path("properties").fieldNames().forEachRemaining(names::add);
        return "known are " + String.join(", ", names);
    }

    private static String article(JsonNode schema) {
        return switch (schema.path("type").asText("")) {
            case "object" -> "an object";
            case "array" ->
                    schema.path("items").path("type").asText("").equals("string")
                            ? "an array of strings"
                            : "an array";
            case "string" -> "a string";
            case "boolean" -> "true or false";
            case "integer" -> "a whole number";
            case "number" -> "a number";
            default -> "a value";
        };
    }

    private static String described(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT, POJO -> "an object";
            case ARRAY -> "an array";
            case STRING -> "a string";
            case BOOLEAN -> "true or false";
            case NUMBER -> "the number " + value.asText();
            case NULL -> "null";
            case BINARY, MISSING -> "nothing";
        };
    }
}
