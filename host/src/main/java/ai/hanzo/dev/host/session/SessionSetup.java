package ai.hanzo.dev.host.session;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.wire.NoteWire;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a session was started with and needs again after a restart: entry 2 of its journal, a note.
 * Holds no secret. Immutable.
 *
 * @param workspace absolute real path
 * @param rules name and content of the policy's rules; the content is empty for a preset
 * @param script content of the script model, or its name in the vault; empty for a real one
 * @param turnSeconds 0 for the host's default
 * @param commandSeconds 0 for the cell's default
 */
public record SessionSetup(
        String workspace,
        boolean readOnly,
        Person person,
        Rules rules,
        String script,
        int turnSeconds,
        int commandSeconds) {
    static final String TOPIC = "session";

    /**
     * Whose session it is: where their tools are, and their name in commits.
     *
     * @param path their PATH
     * @param home their home directory; empty if unknown
     * @param gitName the author of commits; empty for the default
     */
    public record Person(String path, String home, String gitName, String gitEmail, String lang) {}

    /** Rules as they were given. */
    public record Rules(String name, String source) {}

    /** The same with the script as it is recorded. */
    SessionSetup withScript(String recorded) {
        return new SessionSetup(
                workspace, readOnly, person, rules, recorded, turnSeconds, commandSeconds);
    }

    /** What a note of this kind says the script is; empty if it is another note. */
    public static Optional<String> script(Note note) {
        return note.topic().equals(TOPIC) ? note.fact("script") : Optional.empty();
    }

    /** The payload of the same note for a session that works elsewhere. */
    public static Bytes moved(Note note, String workspace) {
        Map<String, String> facts = new LinkedHashMap<>(note.facts());
        facts.put("workspace", workspace);
        return NoteWire.encode(new Note(TOPIC, "works in " + workspace, facts));
    }

    /** The payload of the same note for a session that came from elsewhere, for {@code person}. */
    public static Bytes arrived(Note note, String workspace, Person person) {
        Map<String, String> facts = new LinkedHashMap<>(note.facts());
        facts.put("workspace", workspace);
        put(person, facts);
        return NoteWire.encode(new Note(TOPIC, "was imported, and works in " + workspace, facts));
    }

    private static void put(Person person, Map<String, String> facts) {
        facts.put("path", person.path());
        facts.put("home", person.home());
        facts.put("gitName", person.gitName());
        facts.put("gitEmail", person.gitEmail());
        facts.put("lang", person.lang());
    }

    Note toNote() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("workspace", workspace);
        facts.put("readOnly", Boolean.toString(readOnly));
        put(person, facts);
        facts.put("policy", rules.name());
        facts.put("rules", rules.source());
        facts.put("script", script);
        facts.put("turnSeconds", Integer.toString(turnSeconds));
        facts.put("commandSeconds", Integer.toString(commandSeconds));
        return new Note(TOPIC, "works in " + workspace, facts);
    }

    static SessionSetup of(Note note) {
        return new SessionSetup(
                text(note, "workspace"),
                Boolean.parseBoolean(text(note, "readOnly")),
                new Person(
                        text(note, "path"),
                        text(note, "home"),
                        text(note, "gitName"),
                        text(note, "gitEmail"),
                        text(note, "lang")),
                new Rules(text(note, "policy"), text(note, "rules")),
                text(note, "script"),
                number(note, "turnSeconds"),
                number(note, "commandSeconds"));
    }

    private static String text(Note note, String fact) {
        return note.fact(fact).orElse("");
    }

    private static int number(Note note, String fact) {
        Optional<String> value = note.fact(fact).filter(text -> !text.isEmpty());
        return value.map(Integer::parseInt).orElse(0);
    }
}
