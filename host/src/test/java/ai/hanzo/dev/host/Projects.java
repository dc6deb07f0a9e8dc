package ai.hanzo.dev.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Directories to work in. */
final class Projects {
    private Projects() {}

    /** A new directory below {@code parent} with a file {@code hello.txt}. */
    static Path make(Path parent) {
        try {
            Path made = Files.createTempDirectory(parent, "project-").toRealPath();
            write(made.resolve("hello.txt"), "hello\n");
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs git there, as the owner of the project would. */
    static void git(Path project, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git", "-C", project.toString()));
        command.addAll(List.of(arguments));
        try {
            Process git = new ProcessBuilder(command).inheritIO().start();
            if (git.waitFor() != 0) {
                throw new IllegalStateException(command + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void write(Path file, String text) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
