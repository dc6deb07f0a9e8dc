package ai.hanzo.dev.host.surface.rest;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.ShellSource;
import ai.hanzo.dev.host.op.ShellSource.ShellPath;
import ai.hanzo.dev.host.op.v1.Shell;
import ai.hanzo.dev.host.op.v1.ShellInput;
import ai.hanzo.dev.host.op.v1.ShellRequest;
import ai.hanzo.dev.host.op.v1.ShellSize;
import ai.hanzo.dev.host.surface.sse.ShellFeedRoute;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.function.Function;

/**
 * The routes of shells. What is typed comes by requests of its own, each with its place in all that
 * was typed, so that one that is sent again is taken once; what is printed goes out as server-sent
 * events. Any thread.
 */
final class ShellRoutes implements AutoCloseable {
    private static final String ALL = "/v1/dev/{id}/shell";
    private static final String ONE = ALL + "/{shell}";

    private final ShellSource source;
    private final RequestReader reader;
    private final ShellFeedRoute feeds;

    ShellRoutes(ShellSource source, RequestReader reader, Duration heartbeat) {
        this.source = source;
        this.reader = reader;
        this.feeds = new ShellFeedRoute(source, heartbeat);
    }

    /** Registers them. */
    void add(RoutesConfig routes, Function<Context, Caller> caller) {
        routes.post(ALL, context -> open(caller.apply(context), context));
        routes.get(ONE, context -> feeds.serve(caller.apply(context), path(context), context));
        routes.post(ONE + "/input", context -> input(caller.apply(context), context));
        routes.post(ONE + "/size", context -> resize(caller.apply(context), context));
        routes.delete(ONE, context -> end(caller.apply(context), context));
    }

    private void open(Caller caller, Context context) {
        ShellRequest.Builder request = ShellRequest.newBuilder();
        reader.read(context, request);
        String session = context.pathParam("id");
        Shell shell = source.open(caller, session, request.build());
        context.header("Location", "/v1/dev/" + session + "/shell/" + shell.getId());
        RestServer.json(context, 201, OpJson.print(shell));
    }

    private void input(Caller caller, Context context) {
        ShellInput.Builder input = ShellInput.newBuilder();
        reader.read(context, input);
        RestServer.json(
                context, 200, OpJson.print(source.input(caller, path(context), input.build())));
    }

    private void resize(Caller caller, Context context) {
        ShellSize.Builder size = ShellSize.newBuilder();
        reader.read(context, size);
        source.resize(caller, path(context), size.build());
        RestServer.json(context, 200, "{}");
    }

    private void end(Caller caller, Context context) {
        source.end(caller, path(context));
        RestServer.json(context, 200, "{}");
    }

    private static ShellPath path(Context context) {
        return new ShellPath(context.pathParam("id"), context.pathParam("shell"));
    }

    /** How many follow a shell now. */
    int followers() {
        return feeds.followers();
    }

    @Override
    public void close() {
        feeds.close();
    }
}
