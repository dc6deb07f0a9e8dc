package ai.hanzo.dev.host.surface.rest;

import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Problem documents for what never reaches a route: broken HTTP, headers that are too large, a path
 * that cannot be.
 */
final class JettyProblems extends ErrorHandler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        OpException refusal =
                switch (status) {
                    case 404 -> OpException.of(OpCode.ROUTE_NOT_FOUND, "There is no such route.");
                    case 413 -> OpException.of(OpCode.PAYLOAD_TOO_LARGE, "The body is too large.");
                    case 414, 431 ->
                            OpException.of(
                                    OpCode.HEADERS_TOO_LARGE,
                                    "The request line and headers are too large.");
                    default ->
                            status >= 500
                                    ? OpException.of(OpCode.INTERNAL, "The host failed.")
                                    : OpException.of(
                                            OpCode.INVALID_ARGUMENT,
                                            "The request is not one that HTTP allows here.");
                };
        response.setStatus(refusal.code().status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problems.MEDIA_TYPE);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.write(
                true,
                ByteBuffer.wrap(Problems.json(refusal, request.getHttpURI().getPath())),
                callback);
        return true;
    }
}
