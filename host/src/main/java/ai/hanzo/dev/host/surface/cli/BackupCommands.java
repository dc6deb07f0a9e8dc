package ai.hanzo.dev.host.surface.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Commands on all that a state directory holds. They work on this machine, host or no host. */
final class BackupCommands {
    private BackupCommands() {}

    @Command(
            name = "backup",
            description = "Copy all sessions with their files into one file, and back.",
            subcommands = {Create.class, Restore.class})
    static final class Backup implements Runnable {
        @ParentCommand @Nullable Cli cli;
        @Spec @Nullable CommandSpec spec;

        @Override
        public void run() {
            throw Given.incomplete(spec, "backup create or backup restore");
        }
    }

    /** A command below {@code backup}. */
    abstract static class BelowBackup implements java.util.concurrent.Callable<Integer> {
        @ParentCommand @Nullable Backup backup;

        @Parameters(paramLabel = "FILE", description = "The backup.")
        @Nullable String file;

        @Option(
                names = "--db",
                paramLabel = "URL",
                description = "The database; by default the private PostgreSQL in HANZO_HOME.")
        @Nullable String database;

        Cli cli() {
            if (backup == null) {
                throw new IllegalStateException("a command ran without its parent");
            }
            return Given.parent(backup.cli);
        }

        Path file() {
            return cli().io().directory().resolve(Given.value(file));
        }

        Programs.Backups.Place place() {
            if (cli().options().host().isPresent()) {
                throw CliException.usage(
                        "A backup is made on the machine of the host; run it there without"
                                + " --host.");
            }
            return new Programs.Backups.Place(cli().home().state(), Optional.ofNullable(database));
        }

        Integer told(String what, Programs.Backups.Contents contents) {
            cli().io()
                    .out()
                    .println(
                            what
                                    + ": "
                                    + contents.rows()
                                    + " rows, "
                                    + contents.files()
                                    + " stored files"
                                    + (contents.holdsKey()
                                            ? ", the organisation's key"
                                            : ", without the organisation's key"));
            contents.damaged()
                    .forEach(digest ->
                            cli().io()
                                    .err()
                                    .println(
                                            "hanzo: left out, because it is damaged: stored file "
                                                    + digest));
            return (contents.damaged().isEmpty() ? Exit.COMPLETE : Exit.FAILED).code();
        }
    }

    @Command(
            name = "create",
            description = {
                "Write a backup, while a host serves or while none does. It holds everything, the",
                "organisation's key too: keep it as you would keep that."
            })
    static final class Create extends BelowBackup {
        @Option(
                names = "--without-key",
                description = {
                    "Leave the organisation's key out: keep keys/org.key yourself, and name it",
                    "with HANZO_ORG_KEY_FILE after a restore."
                })
        boolean withoutKey;

        @Override
        public Integer call() {
            Programs.Backups.Place place = place();
            return told(
                    "written",
                    MachineCommands.said(
                            () -> cli().programs().backups().create(place, file(), !withoutKey)));
        }
    }

    @Command(
            name = "restore",
            description = "Put a backup into an empty HANZO_HOME, and an empty database.")
    static final class Restore extends BelowBackup {
        @Override
        public Integer call() {
            Programs.Backups.Place place = place();
            return told(
                    "restored",
                    MachineCommands.said(() -> cli().programs().backups().restore(place, file())));
        }
    }
}
