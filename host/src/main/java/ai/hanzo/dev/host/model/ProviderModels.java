package ai.hanzo.dev.host.model;

import ai.hanzo.dev.host.model.ChatEndpoint.Protocol;
import ai.hanzo.dev.host.model.ChatEndpoint.Target;
import ai.hanzo.dev.host.model.Models.Selection.KeyMissing;
import ai.hanzo.dev.host.model.Models.Selection.Ready;
import ai.hanzo.dev.host.model.Models.Selection.Refused;
import ai.hanzo.dev.host.model.RetryingModel.Surroundings;
import ai.hanzo.dev.host.tool.Calls;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The models that this program knows: OpenAI and what speaks like it, Anthropic, Ollama, and the
 * script. Safe for all threads. Close it to give its connections back.
 */
public final class ProviderModels implements Models, AutoCloseable {
    /** Asked when nothing is named and ANTHROPIC_API_KEY is set. */
    static final String DEFAULT_ANTHROPIC = "anthropic:claude-sonnet-4-5";

    /** Asked when nothing is named and OPENAI_API_KEY is set. */
    static final String DEFAULT_OPENAI = "openai:gpt-5";

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(15);
    private static final String KINDS =
            "write openai:NAME, anthropic:NAME, ollama:NAME or script:FILE";

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http =
            HttpClient.newBuilder()
                    .connectTimeout(CONNECT_LIMIT)
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();
    private final Ollama ollama = new Ollama(http, json);
    private final Calls calls;
    private final Duration limit;
    private final Surroundings surroundings;

    /** Models whose calls are read by {@code calls}. */
    public ProviderModels(Calls calls) {
        this(calls, ModelProvider.TIME_LIMIT, Surroundings.REAL);
    }

    ProviderModels(Calls calls, Duration limit, Surroundings surroundings) {
        this.calls = calls;
        this.limit = limit;
        this.surroundings = surroundings;
    }

    @Override
    public Selection select(String spec, Optional<String> script, ProviderSettings settings) {
        if (spec.isBlank()) {
            return byDefault(settings);
        }
        int colon = spec.indexOf(':');
        String kind = colon < 0 ? "" : spec.substring(0, colon).toLowerCase(Locale.ROOT);
        String name = spec.substring(colon + 1).strip();
        if (!kind.isEmpty() && name.isEmpty()) {
            return unknown("'" + spec + "' names no model");
        }
        return switch (kind) {
            case "script" -> script(spec, script);
            case "openai" -> openAi(name, settings);
            case "anthropic" -> anthropic(name, settings);
            case "ollama" -> ollama(name, settings);
            case "" -> unknown("'" + spec + "' does not say whose model it is");
            default -> unknown("There is no provider '" + kind + "'");
        };
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private Selection byDefault(ProviderSettings settings) {
        if (settings.value("ANTHROPIC_API_KEY").isPresent()) {
            return select(DEFAULT_ANTHROPIC, Optional.empty(), settings);
        }
        if (settings.value("OPENAI_API_KEY").isPresent()) {
            return select(DEFAULT_OPENAI, Optional.empty(), settings);
        }
        Optional<String> local = ollama.firstModel(ollamaHost(settings));
        if (local.isPresent()) {
            return ollama(local.get(), settings);
        }
        return new Refused(
                "no_model",
                "There is no model to ask: set ANTHROPIC_API_KEY or OPENAI_API_KEY, start Ollama with a"
                        + " model, or name one with --model ("
                        + KINDS
                        + ").");
    }

    private Selection script(String spec, Optional<String> script) {
        if (script.isEmpty()) {
            return new Refused(
                    "bad_script",
                    "The content of "
                            + spec
                            + " did not come with the request; give --model script:FILE to the CLI, which reads the file.");
        }
        try {
            Endpoint endpoint =
                    new ScriptEndpoint(Script.parse(script.get()), surroundings.pauses());
            return new Ready(spec, new RetryingModel(endpoint, calls, limit, surroundings));
        } catch (ModelException e) {
            return new Refused("bad_script", String.valueOf(e.getMessage()));
        }
    }

    private Selection openAi(String name, ProviderSettings settings) {
        String base = settings.value("OPENAI_BASE_URL").orElse("https://api.openai.com/v1");
        return keyed("openai:" + name, "OPENAI", Protocol.OPENAI, base, settings);
    }

    private Selection anthropic(String name, ProviderSettings settings) {
        String base = settings.value("ANTHROPIC_BASE_URL").orElse("https://api.anthropic.com");
        return keyed("anthropic:" + name, "ANTHROPIC", Protocol.ANTHROPIC, base, settings);
    }

    private Selection keyed(
            String model,
            String prefix,
            Protocol protocol,
            String base,
            ProviderSettings settings) {
        Optional<URI> url = BaseUrl.parse(base, /* scheme= */ "https");
        if (url.isEmpty()) {
            return badUrl(prefix + "_BASE_URL");
        }
        String variable = prefix + "_API_KEY";
        Optional<String> key = settings.value(variable);
        if (key.isEmpty()) {
            String local =
                    settings.value(prefix + "_BASE_URL").isPresent()
                            ? " (any text, if the server wants none)"
                            : "";
            return new KeyMissing(
                    variable,
                    "The key for "
                            + model
                            + " is missing: set "
                            + variable
                            + local
                            + " and try again.");
        }
        return ready(
                model,
                variable,
                new Target(protocol, BaseUrl.versioned(url.get()), name(model), key.get()));
    }

    private Selection ollama(String name, ProviderSettings settings) {
        Optional<URI> host = ollamaHost(settings);
        if (host.isEmpty()) {
            return badUrl("OLLAMA_HOST");
        }
        return ready(
                "ollama:" + name,
                "",
                new Target(Protocol.OPENAI, BaseUrl.versioned(host.get()), name, "ollama"));
    }

    private static Optional<URI> ollamaHost(ProviderSettings settings) {
        return Ollama.address(settings.value("OLLAMA_HOST").orElse(""));
    }

    private Selection ready(String model, String variable, Target target) {
        String place = String.valueOf(URI.create(target.baseUrl()).getAuthority());
        String key = variable.isEmpty() ? "" : target.key();
        Faults faults =
                new Faults(json, surroundings.clock(), new Faults.Who(model, place, variable, key));
        Endpoint endpoint = new ChatEndpoint(http, json, faults, target);
        return new Ready(model, new RetryingModel(endpoint, calls, limit, surroundings));
    }

    private static String name(String model) {
        return model.substring(model.indexOf(':') + 1);
    }

    private static Selection badUrl(String variable) {
        return new Refused(
                "bad_base_url",
                variable
                        + " is no http or https address; set it to one such as http://127.0.0.1:8080/v1.");
    }

    private static Selection unknown(String what) {
        return new Refused("unknown_model", what + ": " + KINDS + ".");
    }
}
