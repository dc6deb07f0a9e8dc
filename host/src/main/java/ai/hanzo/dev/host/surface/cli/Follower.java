package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.v1.Delta;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.JournalRequest;
import ai.hanzo.dev.host.op.v1.JournalResponse;
import ai.hanzo.dev.host.op.v1.Reset;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;

/**
 * Follows a session's journal over connections that come and go. Each entry is given out once, in
 * order and without gap, however often the connection is lost: every new connection names the last
 * entry that was given out, also when the one before was lost before its first. A connection that
 * is silent for longer than three heartbeats is taken for dead. One thread.
 */
final class Follower {
    /** The host sends a comment at least every 15 s. */
    private static final Duration SILENCE = Duration.ofSeconds(40);

    private static final int MAX_FAILURES = 8;
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    /** Receives what is followed. */
    interface Listener {
        /**
         * A recorded entry.
         *
         * @param json as the host sent it, on one line
         * @return false to stop following
         */
        boolean entry(JournalEntry entry, String json);

        /** Passing text. */
        void delta(Delta delta);
    }

    private final Client client;
    private final String session;
    private final Listener listener;
    private final Duration silence;
    private int last;
    private boolean done;

    Follower(Client client, String session, int after, Listener listener) {
        this(client, session, after, listener, SILENCE);
    }

    Follower(Client client, String session, int after, Listener listener, Duration silence) {
        this.client = client;
        this.session = session;
        this.last = after;
        this.listener = listener;
        this.silence = silence;
    }

    /** The sequence of the last entry that was given out. */
    int last() {
        return last;
    }

    /**
     * Follows until the listener has enough, or the session has ended.
     *
     * @return true when the listener ended it
     * @throws CliException when the host refuses, or stays away
     */
    boolean run() {
        int failures = 0;
        while (!done) {
            int before = last;
            try {
                if (connection()) {
                    return done;
                }
            } catch (IOException e) {
                // Silence, a cut or a host that is gone: all mean to come back.
            }
            if (done) {
                return true;
            }
            failures = last > before ? 1 : failures + 1;
            if (failures > MAX_FAILURES) {
                throw CliException.failed(
                        "The host at "
                                + client.endpoint()
                                + " went away; the session is safe: hanzo dev attach "
                                + session);
            }
            pause(failures);
            client.reconnect();
        }
        return true;
    }

    private static void pause(int failures) {
        try {
            Thread.sleep(
                    Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures, 10)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CliException.failed("Interrupted.");
        }
    }

    /** One connection; true when nothing more will come. */
    private boolean connection() throws IOException {
        HttpURLConnection connection = client.stream(session, last, silence);
        try (var in = connection.getInputStream()) {
            var reader = new SseReader(in);
            while (!done) {
                Optional<SseReader.Event> event = reader.next();
                if (event.isEmpty()) {
                    return false;
                }
                switch (event.get().name()) {
                    case "entry" -> entry(event.get().data());
                    case "delta" ->
                            listener.delta(parse(event.get().data(), Delta.newBuilder()).build());
                    case "reset" -> reset(parse(event.get().data(), Reset.newBuilder()).build());
                    case "end" -> {
                        return event.get().data().contains("stopped");
                    }
                    default -> {
                        // A newer host's; what counts comes as an entry.
                    }
                }
            }
            return true;
        } finally {
            connection.disconnect();
        }
    }

    private static <B extends Message.Builder> B parse(String json, B into) throws IOException {
        try {
            JsonFormat.parser().ignoringUnknownFields().merge(json, into);
            return into;
        } catch (InvalidProtocolBufferException e) {
            throw new IOException("an event that is no JSON", e);
        }
    }

    private void entry(String json) throws IOException {
        JournalEntry entry = parse(json, JournalEntry.newBuilder()).build();
        if (entry.getSeq() <= last) {
            return;
        }
        if (entry.getSeq() > last + 1) {
            throw new IOException("entry " + entry.getSeq() + " came after " + last);
        }
        give(entry, json);
    }

    private void give(JournalEntry entry, String json) {
        last = entry.getSeq();
        done = !listener.entry(entry, json);
    }

    /** The stream cannot give all: what is missing is in the journal, page by page. */
    private void reset(Reset reset) throws IOException {
        while (!done && last < reset.getAfter()) {
            JournalResponse page =
                    client.call(
                            "journal",
                            JournalRequest.newBuilder().setId(session).setAfter(last).build(),
                            JournalResponse.getDefaultInstance());
            if (page.getEntriesCount() == 0) {
                throw new IOException("the journal has no entry after " + last);
            }
            for (JournalEntry entry : page.getEntriesList()) {
                if (!done && entry.getSeq() == last + 1) {
                    give(entry, OpJson.print(entry));
                }
            }
        }
        last = reset.getAfter();
    }
}
