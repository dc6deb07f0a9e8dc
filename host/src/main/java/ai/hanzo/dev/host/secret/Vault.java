package ai.hanzo.dev.host.secret;

import ai.hanzo.dev.ledger.Bodies;
import ai.hanzo.dev.ledger.Sealed;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Blob;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What one session keeps from being read: masks what is to be recorded, takes the bodies out of it,
 * and gives them back where they are used. Safe for all threads. Fails with {@link SecretException}
 * where a body cannot be had, and with {@link ai.hanzo.dev.ledger.LedgerException}.
 */
public final class Vault {
    /** Of bodies that are kept at hand: the ones just sealed are used next. */
    private static final long MAX_CACHED_BYTES = 1 << 20;

    private final Place place;
    private final Bodies bodies;
    private final Envelope wrapping;
    private final Secrets secrets;
    private final Function<Blob, Bytes> stored;
    private final SecureRandom random;

    private final Map<Sha256, Bytes> cache = new LinkedHashMap<>(); // guarded by itself
    private long cachedBytes; // guarded by cache

    private Optional<SessionKey> key = Optional.empty(); // guarded by this

    /** The key as it is wrapped, if the session had none. */
    private Optional<Bytes> unkept = Optional.empty(); // guarded by this

    Vault(
            Place place,
            Bodies bodies,
            Envelope wrapping,
            Secrets secrets,
            Function<Blob, Bytes> stored,
            SecureRandom random) {
        this.place = place;
        this.bodies = bodies;
        this.wrapping = wrapping;
        this.secrets = secrets;
        this.stored = stored;
        this.random = random;
    }

    /** Whose it is. */
    record Place(OrgId org, SessionId session) {}

    /** A reply as it is recorded, and the bodies that it names. */
    public record Recorded(Event.ModelReply reply, Sealed sealed) {}

    synchronized Vault withFreshKey() {
        SessionKey fresh = SessionKey.fresh(place.org(), place.session(), random);
        key = Optional.of(fresh);
        unkept = Optional.of(fresh.wrap(wrapping));
        return this;
    }

    /** The text with what is secret masked. */
    public String mask(String text) {
        return secrets.redactor().mask(text);
    }

    /** Masks a text that comes in pieces. */
    public MaskedPieces pieces(Consumer<String> to) {
        return new MaskedPieces(secrets, to);
    }

    /** The outcome with what is secret masked. */
    public Outcome mask(Outcome outcome) {
        Redactor redactor = secrets.redactor();
        return new Outcome(
                outcome.status(),
                outcome.exit(),
                redactor.mask(outcome.stdout()),
                redactor.mask(outcome.stderr()),
                outcome.stdoutBytes(),
                outcome.stderrBytes(),
                outcome.truncated(),
                outcome.artifacts(),
                redactor.mask(outcome.message()));
    }

    /** What is recorded of a reply. */
    public Recorded record(Event.ModelReply reply) {
        List<Sealed.Body> taken = new ArrayList<>();
        var calls = new CallRecording(secrets.redactor(), new Taking(taken));
        var recorded =
                new Event.ModelReply(
                        reply.id(),
                        reply.text().map(this::mask),
                        reply.calls().stream().map(calls::of).toList(),
                        reply.usage());
        return new Recorded(recorded, sealed(taken));
    }

    /** Seals a text that stands in an entry by its name: {@link References}. */
    public Kept keep(String text) {
        if (text.isEmpty()) {
            return new Kept("", Sealed.NONE);
        }
        List<Sealed.Body> taken = new ArrayList<>();
        String name = new Taking(taken).value(text);
        return new Kept(name, sealed(taken));
    }

    /** The name of a text in its entry, and the body that it names. */
    public record Kept(String name, Sealed sealed) {}

    private synchronized Sealed sealed(List<Sealed.Body> taken) {
        return taken.isEmpty() ? Sealed.NONE : new Sealed(unkept, taken);
    }

    /** Takes bodies out of calls. */
    private final class Taking implements CallRecording.Bodies {
        private final List<Sealed.Body> taken;

        Taking(List<Sealed.Body> taken) {
            this.taken = taken;
        }

        @Override
        public Sha256 content(Bytes content) {
            return take(Sha256.of(content), content);
        }

        @Override
        public String value(String value) {
            return References.of(take(requireKey().nameOf(value), Bytes.utf8(value)));
        }

        private Sha256 take(Sha256 name, Bytes content) {
            if (taken.stream().noneMatch(body -> body.name().equals(name))) {
                taken.add(new Sealed.Body(name, requireKey().seal(name, content)));
                cache(name, content);
            }
            return name;
        }
    }

    /** The event with its bodies in it. */
    public Event open(Event event) {
        return event instanceof Event.ModelReply reply
                ? new Event.ModelReply(
                        reply.id(),
                        reply.text(),
                        reply.calls().stream().map(opening()::of).toList(),
                        reply.usage())
                : event;
    }

    /** The action with its bodies in it. */
    public Action open(Action action) {
        return new Action(action.id(), opening().of(action.op()));
    }

    /** The operation with its bodies in it. */
    public Op open(Op op) {
        return opening().of(op);
    }

    private BodyPlaces opening() {
        return new BodyPlaces(this::opened, this::value);
    }

    private Content opened(Content content) {
        return switch (content) {
            case Content.Inline inline -> inline;
            case Content.Stored(Blob blob) -> new Content.Inline(content(blob));
        };
    }

    private Bytes content(Blob blob) {
        Optional<Bytes> body = find(blob.digest());
        if (body.isPresent() && !Sha256.of(body.get()).equals(blob.digest())) {
            // Imported under a name that is not its own.
            throw SecretException.changed(blob.digest());
        }
        return body.orElseGet(() -> stored.apply(blob));
    }

    /** A text that {@link #keep} named; one that is no name stands for itself. */
    public String value(String text) {
        return References.in(text).map(name -> plain(name).toUtf8()).orElse(text);
    }

    /**
     * A body.
     *
     * @throws SecretException also when there is none of this name
     */
    public Bytes plain(Sha256 name) {
        return find(name).orElseThrow(() -> SecretException.missing(name));
    }

    /**
     * A body; empty if there is none of this name.
     *
     * @throws SecretException when it cannot be opened
     */
    public Optional<Bytes> find(Sha256 name) {
        Optional<Bytes> cached = cached(name);
        if (cached.isPresent()) {
            return cached;
        }
        Optional<Bytes> sealed = bodies.body(place.org(), place.session(), name);
        if (sealed.isEmpty()) {
            return Optional.empty();
        }
        Bytes content =
                requireKey()
                        .open(name, sealed.get())
                        .orElseThrow(() -> SecretException.changed(name));
        cache(name, content);
        return Optional.of(content);
    }

    /** The bodies of these names sealed for another session, those that there are. */
    public Sealed sealedFor(Vault other, Collection<Sha256> names) {
        List<Sealed.Body> taken = new ArrayList<>();
        for (Sha256 name : names) {
            find(name).ifPresent(content -> taken.add(other.seal(name, content)));
        }
        return other.sealed(taken);
    }

    /** Bodies that came from elsewhere, under the names that they had there. */
    public Sealed seal(Map<Sha256, Bytes> contents) {
        return sealed(
                contents.entrySet().stream()
                        .map(body -> seal(body.getKey(), body.getValue()))
                        .toList());
    }

    private Sealed.Body seal(Sha256 name, Bytes content) {
        return new Sealed.Body(name, requireKey().seal(name, content));
    }

    /**
     * The session's key. Where there is none one is made, which is kept with the first bodies that
     * are committed: only the owner of a session's lease adds to its bodies.
     */
    private synchronized SessionKey requireKey() {
        if (key.isPresent()) {
            return key.get();
        }
        Optional<Bytes> wrapped = bodies.key(place.org(), place.session());
        if (wrapped.isEmpty()) {
            return withFreshKey().requireKey();
        }
        SessionKey unwrapped =
                SessionKey.unwrap(place.org(), place.session(), wrapped.get(), wrapping, random)
                        .orElseThrow(() -> SecretException.key(place.session()));
        key = Optional.of(unwrapped);
        return unwrapped;
    }

    private Optional<Bytes> cached(Sha256 name) {
        synchronized (cache) {
            return Optional.ofNullable(cache.get(name));
        }
    }

    private void cache(Sha256 name, Bytes content) {
        synchronized (cache) {
            if (content.length() > MAX_CACHED_BYTES || cache.putIfAbsent(name, content) != null) {
                return;
            }
            cachedBytes += content.length();
            var oldest = cache.entrySet().iterator();
            while (cachedBytes > MAX_CACHED_BYTES) {
                cachedBytes -= oldest.next().getValue().length();
                oldest.remove();
            }
        }
    }
}
