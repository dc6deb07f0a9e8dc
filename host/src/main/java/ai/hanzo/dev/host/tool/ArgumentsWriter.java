package ai.hanzo.dev.host.tool;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Op;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/**
 * Writes typed arguments as the JSON object that a model would have written, without what was left
 * out. Bytes that live in the store are named by their size, not fetched. Pure.
 */
final class ArgumentsWriter {
    private final ObjectNode out = JsonNodeFactory.instance.objectNode();

    private ArgumentsWriter() {}

    static String json(Call.Request request) {
        ArgumentsWriter writer = new ArgumentsWriter();
        switch (request) {
            case Call.Operation operation -> writer.operation(operation.op());
            case Call.Agent agent -> {
                writer.out.put("task", agent.task());
                writer.texts("tools", agent.tools());
            }
            case Call.Plan plan -> {
                ArrayNode items = writer.out.putArray("items");
                for (Op.PlanItem item : plan.items()) {
                    items.addObject()
                            .put("text", item.text())
                            .put("status", item.status().name().toLowerCase(Locale.ROOT));
                }
            }
            case Call.Invalid _ -> {}
        }
        return writer.out.toString();
    }

    private void operation(Op op) {
        switch (op) {
            case Op.Read read -> {
                out.put("path", read.path());
                number("offset", read.offset());
                number("length", read.lengthBytes());
            }
            case Op.Write write -> {
                out.put("path", write.path());
                content("text", write.content());
                write.mode().ifPresent(mode -> out.put("mode", String.format("%04o", mode)));
            }
            case Op.Patch patch -> content("patch", patch.patch());
            case Op.Exec exec -> {
                texts("argv", exec.argv());
                text("cwd", exec.cwd());
                optionalContent("stdin", exec.stdin());
                variables("env", exec.env());
                number("timeoutMs", exec.timeoutMillis());
                if (exec.pty()) {
                    out.put("pty", true);
                }
            }
            case Op.Git git -> {
                texts("argv", git.argv());
                text("cwd", git.cwd());
            }
            case Op.Browse browse -> {
                out.put("url", browse.url());
                text("method", browse.method());
                variables("headers", browse.headers());
                optionalContent("body", browse.body());
            }
            case Op.Ask ask -> {
                out.put("question", ask.question());
                texts("choices", ask.choices());
            }
            case Op.Send send ->
                    out.put("channel", send.channel())
                            .put("reference", send.reference())
                            .put("text", send.text());
            case Op.ListFiles list -> {
                out.put("path", list.path());
                number("offset", list.offset());
                number("limit", list.limit());
            }
            case Op.Search search -> {
                out.put("pattern", search.pattern());
                text("path", search.path());
                text("glob", search.glob());
                number("limit", search.limit());
            }
            case Op.Stat stat -> out.put("path", stat.path());
            case Op.ModelAsk _, Op.Emit _, Op.Save _, Op.Done _ -> {}
        }
    }

    private void text(String name, String value) {
        if (!value.isEmpty()) {
            out.put(name, value);
        }
    }

    private void number(String name, long value) {
        if (value != 0) {
            out.put(name, value);
        }
    }

    private void texts(String name, List<String> values) {
        if (!values.isEmpty()) {
            ArrayNode array = out.putArray(name);
            values.forEach(array::add);
        }
    }

    private void variables(String name, List<Op.Variable> variables) {
        if (!variables.isEmpty()) {
            ObjectNode object = out.putObject(name);
            variables.forEach(variable -> object.put(variable.name(), variable.value()));
        }
    }

    private void optionalContent(String name, Content content) {
        if (content.sizeBytes() > 0) {
            content(name, content);
        }
    }

    private void content(String name, Content content) {
        switch (content) {
            case Content.Inline inline -> bytes(name, inline.bytes());
            case Content.Stored stored ->
                    out.put(name, "[" + stored.sizeBytes() + " bytes, not shown again]");
        }
    }

    private void bytes(String name, Bytes bytes) {
        try {
            out.put(name, StandardCharsets.UTF_8.newDecoder().decode(bytes.toBuffer()).toString());
        } catch (CharacterCodingException _) {
            out.put("base64", Base64.getEncoder().encodeToString(bytes.toArray()));
        }
    }
}
