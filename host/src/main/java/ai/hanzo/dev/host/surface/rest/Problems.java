package ai.hanzo.dev.host.surface.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.v1.Problem;
import io.javalin.http.Context;

/** Writes problem documents (RFC 9457). */
final class Problems {
    static final String MEDIA_TYPE = "application/problem+json";

    private Problems() {}

    static Problem of(OpException refusal, String path) {
        Problem.Builder problem =
                Problem.newBuilder()
                        .setType("urn:hanzo:dev:" + refusal.code().code())
                        .setTitle(refusal.code().title())
                        .setStatus(refusal.code().status())
                        .setDetail(refusal.detail())
                        .setInstance(path)
                        .setCode(refusal.code().code());
        refusal.next().ifPresent(problem::setNext);
        refusal.related().ifPresent(problem::setRelated);
        refusal.position().ifPresent(at -> problem.setLine(at.line()).setColumn(at.column()));
        return problem.build();
    }

    static byte[] json(OpException refusal, String path) {
        return OpJson.print(of(refusal, path)).getBytes(UTF_8);
    }

    static void write(Context context, OpException refusal) {
        context.status(refusal.code().status());
        context.header("Cache-Control", "no-store");
        context.contentType(MEDIA_TYPE);
        context.result(json(refusal, context.path()));
    }
}
