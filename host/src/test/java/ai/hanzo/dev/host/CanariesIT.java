package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.PostgresStore;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ten secrets of a machine and its host, and an agent that looks for them everywhere. */
@Timeout(300)
class CanariesIT {
    @TempDir Path root;

    /** Not one that the searching command would find in its own words. */
    private static String canary(String of) {
        return "canary-" + of + "-7c1d";
    }

    private static final String PATTERN = "c[a]nary-[a-z]*-7c1d";

    @Test
    void noneIsFoundFromInside() throws IOException {
        Instant begun = Instant.now();
        Path person = Files.createDirectories(root.resolve("person"));
        Map<String, Path> files = new LinkedHashMap<>();
        files.put("ssh", person.resolve(".ssh/id_ed25519"));
        files.put("aws", person.resolve(".aws/credentials"));
        files.put("netrc", person.resolve(".netrc"));
        files.put("npmrc", person.resolve(".npmrc"));
        files.put("maven", person.resolve(".m2/settings.xml"));
        files.forEach((name, file) -> Projects.write(file, canary(name) + "\n"));
        Files.createDirectories(person.resolve(".m2/repository"));
        Path project = Projects.make(root);
        Path home = root.resolve("home");
        DatabaseConfig database = Databases.fresh();
        Map<String, String> environment =
                Map.of(
                        "OPENAI_API_KEY", canary("openai"),
                        "AWS_SECRET_ACCESS_KEY", canary("s3"),
                        "SOME_SECRET", canary("environ"),
                        "HANZO_TOKEN", canary("caller"));
        try (ForkedHost _ = ForkedHost.with(home, database, environment)) {
            Path token = home.resolve("token");
            String search = search(files, home, token, database, begun);
            SessionId session = start(home, project, person, search);
            try (var store = PostgresStore.open(database.withMaxConnections(2), TestHost.ids())) {
                Waiting.forState(store, session, SessionState.IDLE);
                List<Event.Result> results =
                        store.journal().entries(TestHost.ORG, session, new Seq(0), 1000).stream()
                                .filter(entry -> entry.kind().value().equals("result"))
                                .map(entry -> (Event.Result) EventWire.decode(entry.payload()))
                                .toList();
                assertThat(results).hasSize(1);
                String printed = results.getFirst().outcome().stdout().toUtf8();
                assertThat(printed)
                        .contains("searched environment\n", "searched files\n")
                        .doesNotContain("found", "canary-", Files.readString(token).strip())
                        .doesNotContain(database.owner().password());
                // It would have found one: it does find what the project itself holds.
                assertThat(printed).contains("control 1\n", "seen control\n");
            }
        } finally {
            TestHost.endCells(home);
        }
    }

    private static String search(
            Map<String, Path> files,
            Path home,
            Path token,
            DatabaseConfig database,
            Instant begun) {
        var line = new StringBuilder();
        line.append("p='").append(PATTERN).append("'; w='").append(database.owner().user());
        line.append("'; env | grep -q \"$p\" && echo found in env;");
        line.append(" for f in /proc/[0-9]*/environ /proc/[0-9]*/cmdline /proc/[0-9]*/maps;")
                .append(" do grep -aqs \"$p\" $f && echo found in $f; done;");
        line.append(" for f in /proc/[0-9]*/fd/*; do case $(readlink $f) in")
                .append(" *token*|*pg*|*/home/*) echo found $f;; esac; done;");
        line.append(" echo searched environment;");
        for (Path file : files.values()) {
            line.append(" cat '").append(file).append("' 2>/dev/null;");
        }
        line.append(" cat '").append(token).append("' 2>/dev/null;");
        line.append(" ls '").append(home).append("/pg' '").append(home);
        line.append("/keys' '").append(home).append("/blobs' 2>/dev/null;");
        line.append(
                        " for d in / /home /root /etc /tmp /var /run /mnt /srv /opt \"$HOME\""
                                + " \"$TMPDIR\";")
                .append(" do timeout 60 find $d -xdev -type f -size -1000k")
                // What holds a secret of this test was changed since it began.
                .append(" -newerct @" + begun.getEpochSecond() + " 2>/dev/null")
                .append(" -exec grep -lsa \"$p\" {} + | grep -v '/control$'")
                .append(" | sed 's/^/found /'; done;");
        line.append(" find . -newerct @" + begun.getEpochSecond() + " -name control")
                .append(" -exec grep -qa \"$p\" {} \\; -exec echo seen control \\;;");
        line.append(" echo searched files; echo control $(grep -c \"$p\" control)");
        return line.toString();
    }

    private static SessionId start(Path home, Path project, Path person, String search) {
        Projects.write(project.resolve("control"), canary("control") + "\n");
        String body =
                """
                {"prompt": "Go.", "model": "script:x", "script": %s,
                 "env": {"ANTHROPIC_API_KEY": "%s"},
                 "surroundings": {"path": "/usr/bin:/bin", "home": "%s"},
                 "workspace": {"path": "%s"}}
                """
                        .formatted(
                                Lines.quoted(new Scripts().sh(search).say("Done.").text()),
                                canary("model"),
                                person,
                                project);
        var started = Requests.send(home, "POST", "/v1/dev", body);
        assertThat(started.statusCode()).as(started.body()).isEqualTo(201);
        return new SessionId(Lines.json(started.body()).path("id").asText());
    }
}
