package ai.hanzo.dev.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Looks at the processes of this machine. */
final class Processes {
    private Processes() {}

    /** Processes with this command line that work in a directory, in any namespace. */
    static List<Path> running(String command, Path directory) {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(p -> p.getFileName().toString().matches("[0-9]+"))
                    .filter(p -> commandOf(p).equals(command))
                    .filter(p -> worksIn(p, directory))
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String commandOf(Path process) {
        try {
            return Files.readString(process.resolve("cmdline")).replace('\0', ' ').strip();
        } catch (IOException _) {
            return "";
        }
    }

    private static boolean worksIn(Path process, Path directory) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd")).endsWith(directory.getFileName());
        } catch (IOException _) {
            return false;
        }
    }
}
