package ai.hanzo.dev.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Another engine, in a process of its own: it prints its version when it is ready, and answers each
 * line, {@code one STEPS} or {@code many SECONDS}, with a number. It ends with its standard input.
 */
final class PeerSteps implements StepEngine {
    /** Longer than any of them takes for a line. */
    private static final long PATIENCE_SECONDS = 180;

    private final String name;
    private final Process process;
    private final Path errors;
    private final BufferedWriter commands;
    private final BufferedReader answers;

    /**
     * Starts it, and waits until it is ready.
     *
     * @param errors the file for what it says besides
     * @throws IOException if it does not become ready; the message is the last that it said
     */
    PeerSteps(
            String title,
            Path folder,
            List<String> command,
            Map<String, String> environment,
            Path errors)
            throws IOException, InterruptedException {
        this.errors = errors;
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectError(errors.toFile());
        builder.environment().putAll(environment);
        this.process = builder.start();
        this.commands = process.outputWriter();
        this.answers = process.inputReader();
        this.name = title + " " + answer();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public double one(int steps) throws IOException, InterruptedException {
        return ask("one " + steps);
    }

    @Override
    public double many(int seconds) throws IOException, InterruptedException {
        return ask("many " + seconds);
    }

    private double ask(String line) throws IOException, InterruptedException {
        commands.write(line + "\n");
        commands.flush();
        return Double.parseDouble(answer());
    }

    private String answer() throws IOException, InterruptedException {
        FutureTask<String> reading = new FutureTask<>(answers::readLine);
        Thread.ofVirtual().start(reading);
        String line;
        try {
            line = reading.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            close();
            throw new IOException("did not answer within " + PATIENCE_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw new IOException(e);
        }
        if (line == null) {
            String last = Files.readString(errors).strip().lines().reduce("", (_, next) -> next);
            throw new IOException("ended (%d): %s".formatted(process.waitFor(), last));
        }
        return line;
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
