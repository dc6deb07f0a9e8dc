package ai.hanzo.dev.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** A process of another engine, which is told what to run and answers how long it took. */
final class PeerEngine implements Engine {
    private final String name;
    private final Process process;
    private final BufferedWriter commands;
    private final BufferedReader answers;

    PeerEngine(String name, List<String> command) {
        this.name = name;
        try {
            this.process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
        this.commands = process.outputWriter();
        this.answers = process.inputReader();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Batch batch(Measure measure) {
        try {
            commands.write(measure.command() + "\n");
            commands.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new IllegalStateException(name + " has ended");
            }
            return Batch.parse(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " has ended", e);
        }
    }

    @Override
    public void close() {
        process.destroy();
    }
}
