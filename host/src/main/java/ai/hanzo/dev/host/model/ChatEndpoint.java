package ai.hanzo.dev.host.model;

import ai.hanzo.dev.protocol.Event.Usage;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A model behind HTTP, asked through LangChain4j. Each try builds its own LangChain4j model around
 * its own {@link Exchange}: they hold no connection, the JDK's client behind does. Safe for all
 * threads.
 */
final class ChatEndpoint implements Endpoint {
    /**
     * What Anthropic must be told: the most tokens of one reply that all its current models take.
     */
    private static final int ANTHROPIC_OUTPUT_TOKENS = 32_000;

    private final java.net.http.HttpClient http;
    private final ObjectMapper json;
    private final Faults faults;
    private final Target target;

    /** Which protocol is spoken. */
    enum Protocol {
        OPENAI,
        ANTHROPIC
    }

    /**
     * Where the model is.
     *
     * @param baseUrl up to and with the version, such as {@code https://api.openai.com/v1}
     */
    record Target(Protocol protocol, String baseUrl, String name, String key) {
        /** Without the key. */
        @Override
        public String toString() {
            return "Target[" + protocol + " " + name + " at " + baseUrl + "]";
        }
    }

    ChatEndpoint(java.net.http.HttpClient http, ObjectMapper json, Faults faults, Target target) {
        this.http = http;
        this.json = json;
        this.faults = faults;
        this.target = target;
    }

    @Override
    public Answer attempt(Attempt attempt) throws InterruptedException {
        Dialect dialect =
                switch (target.protocol()) {
                    case OPENAI -> new OpenAiDialect(json, faults);
                    case ANTHROPIC -> new AnthropicDialect(json, faults);
                };
        Exchange exchange = new Exchange(http, dialect, faults, attempt.limit(), attempt.stop());
        Reply reply = new Reply(attempt.deltas());
        ChatRequest.Builder request =
                ChatRequest.builder().messages(ChatMessages.of(attempt.request().messages()));
        if (!attempt.request().tools().isEmpty()) {
            request.toolSpecifications(ChatMessages.tools(json, attempt.request().tools()));
        }
        try {
            model(exchange).chat(request.build(), reply);
        } catch (RuntimeException e) {
            // LangChain4j's readers throw what they please at a shape that they do not expect.
            reply.onError(e);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("while the model was asked");
        }
        if (attempt.stop().isCancelled()) {
            return new Answer.Stopped();
        }
        if (exchange.fault().isPresent()) {
            return new Answer.Broken(exchange.fault().get());
        }
        if (reply.error.isPresent() || reply.response.isEmpty()) {
            return new Answer.Broken(faults.garbled("its form is not the expected one"));
        }
        return reply.whole(dialect.ending());
    }

    private StreamingChatModel model(Exchange exchange) {
        return switch (target.protocol()) {
            case OPENAI ->
                    OpenAiStreamingChatModel.builder()
                            .httpClientBuilder(exchange.builder())
                            .baseUrl(target.baseUrl())
                            .apiKey(target.key())
                            .modelName(target.name())
                            .build();
            case ANTHROPIC ->
                    AnthropicStreamingChatModel.builder()
                            .httpClientBuilder(exchange.builder())
                            .baseUrl(target.baseUrl())
                            .apiKey(target.key())
                            .modelName(target.name())
                            .maxTokens(ANTHROPIC_OUTPUT_TOKENS)
                            .cacheSystemMessages(true)
                            .cacheTools(true)
                            .build();
        };
    }

    /** Gathers one reply. Used by the asking thread. */
    private static final class Reply implements StreamingChatResponseHandler {
        private final DeltaListener deltas;
        private final StringBuilder text = new StringBuilder();
        private Optional<ChatResponse> response = Optional.empty();
        private Optional<Throwable> error = Optional.empty();

        Reply(DeltaListener deltas) {
            this.deltas = deltas;
        }

        @Override
        public void onPartialResponse(String piece) {
            text.append(piece);
            deltas.text(piece);
        }

        @Override
        public void onPartialToolCall(PartialToolCall piece) {
            deltas.call(piece.index(), piece.name(), piece.partialArguments());
        }

        @Override
        public void onCompleteResponse(ChatResponse complete) {
            response = Optional.of(complete);
        }

        @Override
        public void onError(Throwable what) {
            if (error.isEmpty()) {
                error = Optional.of(what);
            }
        }

        Answer.Whole whole(Ending ending) {
            ChatResponse complete = response.orElseThrow();
            List<Written> calls =
                    complete.aiMessage().toolExecutionRequests().stream()
                            .map(Reply::written)
                            .toList();
            return new Answer.Whole(text.toString(), calls, usage(complete.tokenUsage()), ending);
        }

        private static Written written(ToolExecutionRequest call) {
            return new Written(textOf(call.id()), textOf(call.name()), textOf(call.arguments()));
        }

        private static String textOf(@Nullable String text) {
            return text == null ? "" : text;
        }

        /** Anthropic counts what came from or went to its cache apart. */
        private static Usage usage(@Nullable TokenUsage usage) {
            if (usage == null) {
                return Usage.NONE;
            }
            long input = count(usage.inputTokenCount());
            if (usage instanceof AnthropicTokenUsage anthropic) {
                input += count(anthropic.cacheReadInputTokens());
                input += count(anthropic.cacheCreationInputTokens());
            }
            return new Usage(input, count(usage.outputTokenCount()));
        }

        private static long count(@Nullable Integer count) {
            return count == null ? 0 : Math.max(0, count);
        }
    }
}
