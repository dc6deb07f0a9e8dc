package ai.hanzo.dev.host.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ai.hanzo.dev.host.model.MockModelServer.Wire;
import ai.hanzo.dev.host.model.RetryingModel.Surroundings;
import ai.hanzo.dev.host.tool.Calls;
import ai.hanzo.dev.host.tool.Tools;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.id.ActionId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A provider, the server that it asks, and a clock whose pauses take no time. */
final class Asking implements AutoCloseable {
    static final String KEY = "secret-key-0123456789";

    private final MockModelServer server;
    private final ProviderModels models;
    private final ModelProvider provider;
    private final RecordedDeltas deltas = new RecordedDeltas();
    private final List<Duration> pauses;

    private Asking(
            MockModelServer server,
            ProviderModels models,
            ModelProvider provider,
            List<Duration> pauses) {
        this.server = server;
        this.models = models;
        this.provider = provider;
        this.pauses = pauses;
    }

    static Asking of(Provider provider, String script) throws Exception {
        return of(provider, script, Wire.PLAIN);
    }

    static Asking of(Provider provider, String script, Wire wire) throws Exception {
        return start(provider, script, wire, Duration.ofMinutes(10));
    }

    static Asking limited(Provider provider, String script, Duration limit) throws Exception {
        return start(provider, script, Wire.PLAIN, limit);
    }

    private static Asking start(Provider provider, String script, Wire wire, Duration limit)
            throws Exception {
        MockModelServer server =
                MockModelServer.start(
                        Script.parse(script),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        wire);
        List<Duration> pauses = new ArrayList<>();
        Pauses recorded =
                (pause, stop) -> {
                    pauses.add(pause);
                    return stop.isCancelled();
                };
        ProviderModels models =
                new ProviderModels(
                        new Calls(Content::of),
                        limit,
                        new Surroundings(InstantSource.system(), recorded, new Random(1)));
        ProviderSettings settings =
                ProviderSettings.of(
                        Map.of(
                                provider.baseVariable(),
                                server.address().toString(),
                                provider.variable(),
                                KEY));
        Models.Selection selection = models.select(provider.spec(), Optional.empty(), settings);
        assertThat(selection).isInstanceOf(Models.Selection.Ready.class);
        return new Asking(server, models, ((Models.Selection.Ready) selection).provider(), pauses);
    }

    ModelOutcome ask() throws InterruptedException {
        return ask(List.of(new ModelMessage.Standing("s"), new ModelMessage.User("go")));
    }

    ModelOutcome ask(List<ModelMessage> messages) throws InterruptedException {
        return provider.ask(request(messages), deltas, new Cancellation());
    }

    ModelOutcome askAndCancelWhenTheServerHasIt() throws Exception {
        Cancellation cancellation = new Cancellation();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<ModelOutcome> asking =
                    () ->
                            provider.ask(
                                    request(List.of(new ModelMessage.User("go"))),
                                    deltas,
                                    cancellation);
            Future<ModelOutcome> outcome = threads.submit(asking);
            await().until(() -> !server.requests().isEmpty());
            cancellation.cancel();
            return outcome.get();
        }
    }

    private static ModelRequest request(List<ModelMessage> messages) {
        return new ModelRequest(new ActionId(7), messages, Tools.bundled().all(), 0, 0);
    }

    MockModelServer server() {
        return server;
    }

    RecordedDeltas deltas() {
        return deltas;
    }

    List<Duration> pauses() {
        return pauses;
    }

    static Event.ModelReply replied(ModelOutcome outcome) {
        assertThat(outcome).isInstanceOf(ModelOutcome.Replied.class);
        return ((ModelOutcome.Replied) outcome).reply();
    }

    static Event.ModelFailed failed(ModelOutcome outcome) {
        assertThat(outcome).isInstanceOf(ModelOutcome.Failed.class);
        return ((ModelOutcome.Failed) outcome).failure();
    }

    @Override
    public void close() {
        models.close();
        server.close();
    }
}
