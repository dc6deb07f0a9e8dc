package ai.hanzo.dev.host.surface.rest;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.SessionFiles;
import ai.hanzo.dev.host.op.SessionFiles.Outgoing;
import ai.hanzo.dev.host.op.v1.ImportRequest;
import ai.hanzo.dev.host.op.v1.Session;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Function;

/** The routes of session files: bytes in and out, never in memory as a whole. Any thread. */
final class FileRoutes {
    static final String TYPE = "application/vnd.hanzo.session";

    private final SessionFiles files;
    private final RequestReader reader;

    FileRoutes(SessionFiles files, RequestReader reader) {
        this.files = files;
        this.reader = reader;
    }

    /** Registers them. */
    void add(RoutesConfig routes, Function<Context, Caller> caller) {
        routes.get("/v1/dev/{id}/export", context -> export(caller.apply(context), context));
        routes.post("/v1/import", context -> take(caller.apply(context), context));
    }

    private void export(Caller caller, Context context) {
        String session = context.pathParam("id");
        try (Outgoing file = files.export(caller, session)) {
            context.status(200);
            context.header("Cache-Control", "no-store");
            context.header("Content-Length", Long.toString(file.bytes()));
            context.header("Content-Disposition", "attachment; filename=\"" + session + ".hanzo\"");
            context.contentType(TYPE);
            file.content().transferTo(context.outputStream());
        } catch (IOException e) {
            throw new UncheckedIOException("the caller went away", e);
        }
    }

    private void take(Caller caller, Context context) {
        String type = context.contentType();
        if (type == null || !type.startsWith(TYPE)) {
            throw OpException.of(
                    OpCode.UNSUPPORTED_MEDIA_TYPE,
                    "The body is no session file.",
                    "Send one with the header Content-Type: " + TYPE + ".");
        }
        ImportRequest.Builder request = ImportRequest.newBuilder();
        reader.readQuery(context, request);
        try (InputStream body = context.req().getInputStream()) {
            Session session = files.take(caller, request.build(), body);
            context.header("Location", "/v1/dev/" + session.getId());
            RestServer.json(context, 201, OpJson.print(session));
        } catch (IOException e) {
            throw new UncheckedIOException("the body broke off", e);
        }
    }
}
