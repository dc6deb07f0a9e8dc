package ai.hanzo.dev.host.core;

import ai.hanzo.dev.protocol.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The sessions that were opened last, as they were before their first event: another one with the
 * same Config begins as a copy. Nothing but Config reaches a session that is opened, so the copy is
 * what the core would make again.
 *
 * <p>Safe for all threads.
 */
final class Templates {
    /** A host serves few Configs at a time; each takes some 33 KB here. */
    private static final int MAX = 8;

    /** Configs above this are not kept: they are rare, and long to compare. */
    private static final int MAX_CONFIG_BYTES = 256 << 10;

    /** Newest first; replaced as a whole. */
    private volatile List<Template> newest = List.of();

    /**
     * A session before its first event.
     *
     * @param image never attached itself, only its copies
     */
    record Template(Bytes config, Engine.Session session, Image image) {}

    Optional<Template> find(Bytes config) {
        for (Template template : newest) {
            if (template.config().equals(config)) {
                return Optional.of(template);
            }
        }
        return Optional.empty();
    }

    /** Two threads that keep at the same time may lose one of both, which costs time only. */
    void keep(Template template) {
        if (template.config().length() > MAX_CONFIG_BYTES) {
            return;
        }
        List<Template> before = newest;
        var after = new Template[Math.min(MAX, before.size() + 1)];
        after[0] = template;
        for (int i = 1; i < after.length; i++) {
            after[i] = before.get(i - 1);
        }
        newest = List.copyOf(Arrays.asList(after));
    }
}
