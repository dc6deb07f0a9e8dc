package ai.hanzo.dev.host.surface.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a command sees of its process. Standard input is never touched unless asked: a pipe that
 * nobody closes must not hold up a prompt that was given as an argument.
 */
public final class Io {
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, String> environment;
    private final Path directory;
    private final boolean terminal;
    private Optional<BufferedReader> reader = Optional.empty();

    /**
     * A process to be seen.
     *
     * @param terminal true when a person can be asked: input and output are a terminal
     */
    public Io(
            InputStream in,
            PrintStream out,
            PrintStream err,
            Map<String, String> environment,
            Path directory,
            boolean terminal) {
        this.in = in;
        this.out = out;
        this.err = err;
        this.environment = Map.copyOf(environment);
        this.directory = directory;
        this.terminal = terminal;
    }

    /** This process. */
    public static Io ofThisProcess() {
        return new Io(
                System.in,
                System.out,
                System.err,
                System.getenv(),
                Path.of("").toAbsolutePath(),
                isTerminal());
    }

    /** The launcher has asked the shell, which is quicker than to load a console. */
    private static boolean isTerminal() {
        String told = System.getProperty("hanzo.terminal", "");
        if (!told.isEmpty()) {
            return told.equals("true");
        }
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    PrintStream out() {
        return out;
    }

    PrintStream err() {
        return err;
    }

    Map<String, String> environment() {
        return environment;
    }

    Path directory() {
        return directory;
    }

    boolean terminal() {
        return terminal;
    }

    /** Colours only where a person looks, and has not said no. */
    boolean colours() {
        return terminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /** Standard input as it comes. */
    InputStream in() {
        return in;
    }

    /** All of standard input. */
    String readAll() {
        try {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("standard input broke off", e);
        }
    }

    /** Asks for a line; empty at the end of input. */
    Optional<String> ask(String prompt) {
        out.print(prompt);
        out.flush();
        try {
            BufferedReader lines =
                    reader.orElseGet(() -> new BufferedReader(new InputStreamReader(in, UTF_8)));
            reader = Optional.of(lines);
            return Optional.ofNullable(lines.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException("standard input broke off", e);
        }
    }
}
