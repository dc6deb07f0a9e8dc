package ai.hanzo.dev.host.surface.rest;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.DevService;
import ai.hanzo.dev.host.op.Op;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.Ops;
import ai.hanzo.dev.host.op.SessionFiles;
import ai.hanzo.dev.host.op.ShellSource;
import ai.hanzo.dev.host.op.StreamSource;
import ai.hanzo.dev.host.op.v1.Session;
import ai.hanzo.dev.host.surface.sse.StreamRoute;
import com.google.protobuf.Message;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.router.Endpoint;
import io.javalin.util.JavalinBindException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server of the host. Every request but {@code /healthz} and {@code /readyz} needs a
 * bearer token; every failure is a problem document. Requests run on virtual threads; started and
 * closed by one thread.
 */
public final class RestServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RestServer.class);
    private static final String CALLER = "ai.hanzo.dev.caller";

    private final RestConfig config;
    private final DevService service;
    private final Authenticator authenticator;
    private final Readiness readiness;
    private final RequestReader reader;
    private final Gate gate;
    private final StreamRoute streams;
    private final ShellRoutes shells;
    private final FileRoutes files;
    private final Clock clock;
    private final AtomicReference<Instant> lastRequest;
    private final Javalin javalin;

    private RestServer(RestConfig config, Parts parts) {
        this.config = config;
        this.service = parts.service();
        this.authenticator = parts.authenticator();
        this.readiness = parts.readiness();
        this.clock = parts.clock();
        this.lastRequest = new AtomicReference<>(clock.instant());
        this.reader = new RequestReader(config.maxBodyBytes());
        this.gate = new Gate(config);
        this.streams = new StreamRoute(parts.streams(), config.heartbeat());
        this.shells = new ShellRoutes(parts.shells(), reader, config.heartbeat());
        this.files = new FileRoutes(parts.files(), reader);
        this.javalin =
                Javalin.create(javalin -> {
                    configure(javalin);
                    routes(javalin.routes, parts.ops());
                });
    }

    /** What the server stands on. */
    public record Parts(
            Ops ops,
            DevService service,
            StreamSource streams,
            ShellSource shells,
            SessionFiles files,
            Authenticator authenticator,
            Readiness readiness,
            Clock clock) {}

    /**
     * Starts to listen.
     *
     * @throws OpException when the port is taken
     */
    public static RestServer start(RestConfig config, Parts parts) {
        var server = new RestServer(config, parts);
        try {
            server.javalin.start();
        } catch (JavalinBindException e) {
            throw OpException.of(
                    OpCode.CONFLICT,
                    "Port " + config.port() + " of " + config.host() + " is in use.",
                    "Choose another with --port, or leave it out for any free one.");
        }
        return server;
    }

    private void configure(JavalinConfig javalin) {
        javalin.concurrency.useVirtualThreads = true;
        javalin.startup.showJavalinBanner = false;
        javalin.startup.showOldJavalinVersionWarning = false;
        javalin.startup.startupWatcherEnabled = false;
        javalin.http.compressionStrategy = CompressionStrategy.NONE;
        javalin.http.prefer405over404 = true;
        javalin.jetty.modifyHttpConfiguration(http -> http.setSendDateHeader(true));
        javalin.jetty.modifyServletContextHandler(
                context -> context.setErrorHandler(new JettyProblems()));
        javalin.jetty.modifyServer(server -> server.setErrorHandler(new JettyProblems()));
        javalin.jetty.addConnector((server, http) -> {
            var connector = new ServerConnector(server, new HttpConnectionFactory(http));
            connector.setHost(config.host());
            connector.setPort(config.port());
            connector.setIdleTimeout(config.idleTimeout().toMillis());
            return connector;
        });
    }

    private void routes(RoutesConfig routes, Ops ops) {
        routes.before(this::admit);
        routes.get("/healthz", context -> json(context, 200, "{\"status\":\"ok\"}"));
        routes.get("/readyz", this::ready);
        for (Op op : ops.all()) {
            add(routes, op.options().getMethod(), op.options().getPath(), c -> serve(op, c));
        }
        add(
                routes,
                Ops.stream().getMethod(),
                Ops.stream().getPath(),
                context -> streams.serve(caller(context), context));
        shells.add(routes, RestServer::caller);
        files.add(routes, RestServer::caller);
        routes.exception(OpException.class, this::refused);
        routes.exception(HttpResponseException.class, this::unrouted);
        routes.exception(Exception.class, this::broken);
    }

    private static void add(RoutesConfig routes, String method, String path, Handler handler) {
        routes.addEndpoint(
                Endpoint.create(HandlerType.findOrCreate(method), path).handler(handler));
    }

    private void admit(Context context) {
        gate.check(context);
        if (context.path().equals("/healthz") || context.path().equals("/readyz")) {
            return;
        }
        String header = context.header("Authorization");
        if (header == null || !header.regionMatches(true, 0, "Bearer ", 0, 7)) {
            throw unauthorized("The request carries no bearer token.");
        }
        String token = header.substring(7).strip();
        Caller caller =
                authenticator
                        .caller(token)
                        .orElseThrow(() -> unauthorized("The bearer token is not a valid one."));
        context.attribute(CALLER, caller);
        lastRequest.set(clock.instant());
    }

    private static OpException unauthorized(String detail) {
        return OpException.of(
                OpCode.UNAUTHORIZED,
                detail,
                "Send Authorization: Bearer with the token of the host's token file.");
    }

    private static Caller caller(Context context) {
        Caller caller = context.attribute(CALLER);
        if (caller == null) {
            throw new IllegalStateException("a route ran before its caller was known");
        }
        return caller;
    }

    private void ready(Context context) {
        List<String> missing = readiness.missing();
        if (missing.isEmpty()) {
            json(context, 200, "{\"status\":\"ready\"}");
            return;
        }
        throw OpException.of(OpCode.NOT_READY, String.join(" ", missing));
    }

    private void serve(Op op, Context context) {
        Message request = reader.read(op, context);
        Message response = op.call(service, caller(context), request);
        if (response instanceof Session session && op.options().getStatus() == 201) {
            context.header("Location", "/v1/dev/" + session.getId());
        }
        json(context, op.options().getStatus(), OpJson.print(response));
    }

    static void json(Context context, int status, String body) {
        context.status(status);
        context.header("Cache-Control", "no-store");
        context.contentType("application/json");
        context.result(body);
    }

    private void refused(OpException refusal, Context context) {
        if (refusal.code() == OpCode.INTERNAL) {
            log.atError().setCause(refusal).addKeyValue("path", context.path()).log("op failed");
        }
        if (refusal.code() == OpCode.UNAUTHORIZED) {
            context.header("WWW-Authenticate", "Bearer");
        }
        Problems.write(context, refusal);
    }

    /** What Javalin itself refuses. */
    private void unrouted(HttpResponseException refusal, Context context) {
        switch (refusal.getStatus()) {
            case 405 -> {
                var methods = new TreeSet<String>();
                for (String listed : refusal.getDetails().values()) {
                    methods.addAll(List.of(listed.split(", ", -1)));
                }
                context.header("Allow", String.join(", ", methods));
                Problems.write(
                        context,
                        OpException.of(
                                OpCode.METHOD_NOT_ALLOWED,
                                context.path()
                                        + " does not take "
                                        + context.req().getMethod()
                                        + ".",
                                "It takes " + String.join(", ", methods) + "."));
            }
            case 404 ->
                    Problems.write(
                            context,
                            OpException.of(
                                    OpCode.ROUTE_NOT_FOUND,
                                    "There is no route " + context.path() + "."));
            default -> broken(refusal, context);
        }
    }

    private void broken(Exception failure, Context context) {
        if (context.res().isCommitted()) {
            log.atDebug().setCause(failure).addKeyValue("path", context.path()).log("cut off");
            return;
        }
        refused(OpException.internal("The host failed; nothing more is known.", failure), context);
    }

    /** The port it listens on. */
    public int port() {
        return javalin.port();
    }

    /** For how long no request came and nobody followed; zero while someone follows. */
    public Duration idle() {
        return streams.followers() + shells.followers() > 0
                ? Duration.ZERO
                : Duration.between(lastRequest.get(), clock.instant());
    }

    /** Ends the streams, lets requests finish, and stops. */
    @Override
    public void close() {
        streams.close();
        shells.close();
        javalin.stop();
    }
}
