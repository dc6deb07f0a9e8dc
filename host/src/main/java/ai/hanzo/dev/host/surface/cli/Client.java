package ai.hanzo.dev.host.surface.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.host.local.Endpoint;
import ai.hanzo.dev.host.op.Op;
import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.Ops;
import ai.hanzo.dev.host.op.v1.Problem;
import ai.hanzo.dev.host.op.v1.Session;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Asks a host for ops over HTTP, by the same descriptors that the host registers its routes from.
 * What got no answer is asked again, up to three times in all: requests that change something carry
 * an idempotency key, so that they happen once. Any thread.
 *
 * <p>Stands on {@code HttpURLConnection}, which starts in a fraction of the time that {@code
 * java.net.http} takes, and has a read timeout for streams.
 */
final class Client {
    private static final int ATTEMPTS = 3;
    private static final int CONNECT_MILLIS = 10_000;

    /** Above what any op of a host may take; an undo of a big tree is the longest. */
    private static final int READ_MILLIS = 120_000;

    /** Above what a host takes to check a file and to eat its journal. */
    private static final int UPLOAD_MILLIS = 600_000;

    private static final int PAUSE_MILLIS = 300;

    static {
        // Off, because retries are this class's own, with a key.
        System.setProperty("sun.net.http.retryPost", "false");
    }

    private final Hosts hosts;
    private final Ops ops;
    private volatile Endpoint endpoint;

    Client(Hosts hosts, Ops ops) {
        this.hosts = hosts;
        this.ops = ops;
        this.endpoint = hosts.ensure();
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** Finds the host again, after it went away. */
    void reconnect() {
        endpoint = hosts.ensure();
    }

    /**
     * Asks.
     *
     * @param response an empty one, for its type
     * @throws CliException when the host refuses or does not answer
     */
    <R extends Message> R call(String name, Message request, R response) {
        Op op = ops.named(name);
        IOException last = new IOException("nothing tried");
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            try {
                return once(op, request, response);
            } catch (IOException e) {
                last = e;
                pause(attempt);
                if (attempt < ATTEMPTS) {
                    reconnect();
                }
            }
        }
        throw CliException.unreachable(endpoint.toString(), last);
    }

    private static void pause(int attempt) {
        try {
            Thread.sleep(Duration.ofMillis((long) PAUSE_MILLIS * attempt));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CliException.failed("Interrupted.");
        }
    }

    private <R extends Message> R once(Op op, Message request, R response) throws IOException {
        Message.Builder rest = request.toBuilder();
        String path = op.options().getPath();
        for (FieldDescriptor field : op.pathFields()) {
            path =
                    path.replace(
                            "{" + field.getName() + "}",
                            encode(request.getField(field).toString()));
            rest.clearField(field);
        }
        boolean post = op.options().getMethod().equals("POST");
        if (post) {
            return post(path, rest.build(), response);
        }
        HttpURLConnection connection = open(path + query(rest.build()));
        connection.setRequestMethod(op.options().getMethod());
        return read(connection, response);
    }

    /** Posts once to a route that is no op. */
    <R extends Message> R post(String path, Message request, R response) throws IOException {
        HttpURLConnection connection = open(path);
        connection.setRequestMethod("POST");
        byte[] body = OpJson.print(request).getBytes(UTF_8);
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setFixedLengthStreamingMode(body.length);
        connection.getOutputStream().write(body);
        return read(connection, response);
    }

    /** Gets a file; throws when the host refuses it or it breaks off. */
    void download(String path, OutputStream to) throws IOException {
        HttpURLConnection connection = open(path);
        if (connection.getResponseCode() != 200) {
            throw refusal(connection);
        }
        long bytes = connection.getContentLengthLong();
        try (InputStream in = connection.getInputStream()) {
            if (in.transferTo(to) != bytes) {
                throw new IOException("it broke off on the way");
            }
        }
    }

    /** Posts a file, once. */
    Session upload(String path, Message request, Path file) {
        try (InputStream content = Files.newInputStream(file)) {
            HttpURLConnection connection = open(path + query(request));
            connection.setRequestMethod("POST");
            connection.setDoOutput(true);
            connection.setReadTimeout(UPLOAD_MILLIS);
            connection.setRequestProperty("Content-Type", "application/vnd.hanzo.session");
            connection.setFixedLengthStreamingMode(Files.size(file));
            try (OutputStream out = connection.getOutputStream()) {
                content.transferTo(out);
            }
            return read(connection, Session.getDefaultInstance());
        } catch (IOException e) {
            throw CliException.unreachable(endpoint.toString(), e);
        }
    }

    private static String query(Message message) {
        var parameters = new TreeMap<String, String>();
        for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
            parameters.put(field.getKey().getJsonName(), field.getValue().toString());
        }
        var query = new StringBuilder();
        parameters.forEach((name, value) ->
                query.append(query.isEmpty() ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(encode(value)));
        return query.toString();
    }

    static String encode(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    private HttpURLConnection open(String path) throws IOException {
        URI address = endpoint.address();
        var connection = (HttpURLConnection) address.resolve(path).toURL().openConnection();
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(READ_MILLIS);
        connection.setInstanceFollowRedirects(false);
        connection.setRequestProperty("Authorization", "Bearer " + endpoint.token());
        return connection;
    }

    /** Opens a stream after an entry; whoever reads it closes it. */
    HttpURLConnection stream(String session, int after, Duration silence) throws IOException {
        return streamOf(Ops.stream().getPath().replace("{id}", encode(session)), after, silence);
    }

    /** Opens a stream of any path; whoever reads it closes it. */
    HttpURLConnection streamOf(String path, long after, Duration silence) throws IOException {
        HttpURLConnection connection = open(path);
        connection.setReadTimeout((int) silence.toMillis());
        connection.setRequestProperty("Accept", "text/event-stream");
        connection.setRequestProperty("Last-Event-ID", String.valueOf(after));
        if (connection.getResponseCode() != 200) {
            throw refusal(connection);
        }
        return connection;
    }

    private static <R extends Message> R read(HttpURLConnection connection, R response)
            throws IOException {
        if (connection.getResponseCode() >= 300) {
            throw refusal(connection);
        }
        try (InputStream in = connection.getInputStream()) {
            Message.Builder builder = response.newBuilderForType();
            // A newer host may say more than this client knows.
            JsonFormat.parser()
                    .ignoringUnknownFields()
                    .merge(new String(in.readAllBytes(), UTF_8), builder);
            @SuppressWarnings("unchecked") // a builder of R's own type builds an R
            R read = (R) builder.build();
            return read;
        }
    }

    private static CliException refusal(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        var body = new ByteArrayOutputStream();
        try (InputStream in = connection.getErrorStream()) {
            if (in != null) {
                in.transferTo(body);
            }
        }
        try {
            Problem.Builder problem = Problem.newBuilder();
            JsonFormat.parser().ignoringUnknownFields().merge(body.toString(UTF_8), problem);
            if (!problem.getCode().isEmpty()) {
                return CliException.refused(problem.build());
            }
        } catch (InvalidProtocolBufferException e) {
            // Told below: something else than a host answered.
        }
        return CliException.failed(
                connection.getURL().getHost()
                        + " answered "
                        + status
                        + ", which is not an answer of hanzo dev: is the address right?");
    }
}
