package ai.hanzo.dev.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
