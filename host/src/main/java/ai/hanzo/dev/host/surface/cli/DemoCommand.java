package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.v1.Delta;
import ai.hanzo.dev.host.op.v1.DiffRequest;
import ai.hanzo.dev.host.op.v1.DiffResponse;
import ai.hanzo.dev.host.op.v1.FileChange;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.Session;
import ai.hanzo.dev.host.op.v1.StartRequest;
import ai.hanzo.dev.host.op.v1.Workspace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import picocli.CommandLine.Command;

/**
 * {@code hanzo dev demo}: a small broken project, mended by a recorded model through everything
 * that is real. The tests run once more in a second turn, in the cell, and decide the exit code.
 */
@Command(
        name = "demo",
        description = "Watch a recorded model mend a small project; needs no key and no network.")
final class DemoCommand extends SessionCommands.Child {
    private static final List<String> FILES = List.of("README.md", "slug.sh", "test.sh");
    private static final List<String> TEST = List.of("sh", "test.sh");

    @Override
    public Integer call() {
        Client client = cli().client();
        Path project = copy();
        var view = new Watch(new JournalView(out(), cli().style()));
        var conversation =
                new Conversation(
                        client, cli().io(), view, cli().interrupts(), cli().io().terminal());
        out().println("a project with a failing test is in " + project);
        Conversation.Ended ended = conversation.start(request(client, project));
        if (ended.exit() != Exit.COMPLETE) {
            return ended.exit().code();
        }
        Conversation.Ended checked =
                conversation.turn(ended.session(), "Run the tests once more.", Map.of());
        print(client, ended.session());
        if (checked.exit() != Exit.COMPLETE || view.lastTest.orElse(1) != 0) {
            cli().io().err().println("hanzo: the tests of the project do not pass");
            return Exit.FAILED.code();
        }
        out().println();
        out().println("The tests pass. See it again: hanzo dev log " + ended.session());
        return Exit.COMPLETE.code();
    }

    private StartRequest.Builder request(Client client, Path project) {
        StartRequest.Builder request =
                cli().requests()
                        .start(
                                "The test fails. Find out why, mend it and commit.",
                                client.endpoint().local());
        return request.clearEnv()
                .setModel("script:demo")
                .setScript(text("script.json"))
                .setWorkspace(Workspace.newBuilder().setPath(project.toString()));
    }

    private static Path copy() {
        try {
            Path project = Files.createTempDirectory("hanzo-demo-").toRealPath();
            for (String file : FILES) {
                Files.writeString(project.resolve(file), text("project/" + file));
            }
            unzip(open("project.git.zip"), project.resolve(".git"));
            return project;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The demo project cannot be written below "
                            + System.getProperty("java.io.tmpdir")
                            + "; make room there.",
                    e);
        }
    }

    /** The repository of the project: one commit with these very files. */
    private static void unzip(InputStream archive, Path directory) throws IOException {
        Files.createDirectory(directory);
        try (ZipInputStream zip = new ZipInputStream(archive)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = directory.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.copy(zip, file);
                }
            }
        }
    }

    private static InputStream open(String name) {
        InputStream in = DemoCommand.class.getResourceAsStream("/demo/" + name);
        if (in == null) {
            throw new IllegalStateException("built without demo/" + name);
        }
        return in;
    }

    private static String text(String name) {
        try (InputStream in = open(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void print(Client client, String session) {
        DiffResponse diff =
                client.call(
                        "diff",
                        DiffRequest.newBuilder().setId(session).build(),
                        DiffResponse.getDefaultInstance());
        out().println();
        out().println(Style.safe(diff.getDiff()).stripTrailing());
        for (FileChange file : diff.getFilesList()) {
            if (file.getBinary()) {
                out().println("binary: " + Style.safe(file.getPath()));
            }
        }
    }

    /** Shows the journal, and remembers how the newest run of the tests ended. */
    private static final class Watch implements View {
        private final View view;
        private int testAction;
        private Optional<Integer> lastTest = Optional.empty();

        Watch(View view) {
            this.view = view;
        }

        @Override
        public void session(Session session) {
            view.session(session);
        }

        @Override
        public void entry(JournalEntry entry, String json) {
            view.entry(entry, json);
            if (entry.hasExec() && entry.getExec().getArgvList().equals(TEST)) {
                testAction = entry.getAction();
                lastTest = Optional.empty();
            }
            if (entry.hasResult()
                    && entry.getAction() == testAction
                    && entry.getResult().hasExit()) {
                lastTest = Optional.of(entry.getResult().getExit());
            }
        }

        @Override
        public void delta(Delta delta) {
            view.delta(delta);
        }

        @Override
        public void end(Session session, DiffResponse changed) {
            view.end(session, changed);
        }
    }
}
