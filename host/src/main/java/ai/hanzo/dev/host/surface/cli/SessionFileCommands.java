package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.v1.ImportRequest;
import ai.hanzo.dev.host.op.v1.Session;
import ai.hanzo.dev.host.op.v1.Surroundings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sessions into files, and out of them. */
final class SessionFileCommands {
    private SessionFileCommands() {}

    @Command(
            name = "export",
            description = {
                "Write a session that rests into one file, with all that it needs elsewhere. The",
                "file holds what was said and the workspace's files: treat it like them."
            })
    static final class Export extends SessionCommands.OnSession {
        @Option(
                names = "-o",
                paramLabel = "FILE",
                description = "Where to; by default ID.hanzo in the current directory.")
        @Nullable String file;

        @Override
        public Integer call() {
            Path to = cli().io().directory().resolve(file == null ? id() + ".hanzo" : file);
            Client client = cli().client();
            try {
                Path directory = to.toAbsolutePath().getParent();
                if (directory == null || !Files.isDirectory(directory)) {
                    throw CliException.usage("There is no directory for " + to + ".");
                }
                if (Files.isDirectory(to)) {
                    throw CliException.usage(to + " is a directory; name a file with -o FILE.");
                }
                write(client, directory, to);
            } catch (IOException e) {
                throw CliException.failed(
                        to + " cannot be written: " + e.getMessage() + "; name another place.");
            }
            out().println(to);
            return Exit.COMPLETE.code();
        }

        /** Appears whole or not at all. */
        private void write(Client client, Path directory, Path to) throws IOException {
            Path draft =
                    Files.createTempFile(
                            directory,
                            "export-",
                            ".part",
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------")));
            try {
                try (OutputStream out = Files.newOutputStream(draft)) {
                    client.download("/v1/dev/" + Client.encode(id()) + "/export", out);
                }
                Files.move(draft, to, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(draft);
            }
        }
    }

    @Command(
            name = "import",
            description = {
                "Take a session in that was exported elsewhere, with its workspace in a directory",
                "of its own. It goes on under the policy that it was started with."
            })
    static final class Import extends SessionCommands.Child {
        @Parameters(index = "0", paramLabel = "FILE", description = "What hanzo dev export wrote.")
        @Nullable String file;

        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "DIR",
                description = {
                    "For the workspace; there is nothing, or an empty directory. By default the",
                    "name of the file without its end."
                })
        @Nullable String directory;

        @Override
        public Integer call() {
            Path from = cli().io().directory().resolve(Given.value(file));
            if (!Files.isRegularFile(from)) {
                throw CliException.usage("There is no file " + from + ".");
            }
            Path to = cli().io().directory().resolve(directory == null ? plain(from) : directory);
            Surroundings around = cli().requests().surroundings();
            ImportRequest request =
                    ImportRequest.newBuilder()
                            .setPath(to.normalize().toString())
                            .setToolPath(around.getPath())
                            .setHome(around.getHome())
                            .setGitAuthorName(around.getGitAuthorName())
                            .setGitAuthorEmail(around.getGitAuthorEmail())
                            .setLang(around.getLang())
                            .build();
            Session session = cli().client().upload("/v1/import", request, from);
            if (json()) {
                out().println(OpJson.print(session));
                return Exit.COMPLETE.code();
            }
            out().println(session.getId());
            cli().io()
                    .err()
                    .println(
                            "hanzo: "
                                    + session.getState()
                                    + ", policy "
                                    + Style.safe(session.getPolicy().getName())
                                    + ", workspace "
                                    + Style.safe(session.getWorkspace().getPath()));
            return Exit.COMPLETE.code();
        }

        private static String plain(Path file) {
            String name = String.valueOf(file.getFileName());
            int dot = name.lastIndexOf('.');
            return dot > 0 ? name.substring(0, dot) : name + ".d";
        }
    }
}
