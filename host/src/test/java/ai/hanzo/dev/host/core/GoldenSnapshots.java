package ai.hanzo.dev.host.core;

import static ai.hanzo.dev.host.core.Driver.agent;
import static ai.hanzo.dev.host.core.Driver.ask;
import static ai.hanzo.dev.host.core.Driver.exec;
import static ai.hanzo.dev.host.core.Driver.plan;
import static ai.hanzo.dev.host.core.Driver.read;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Writes the golden snapshots of the current format: for each session its state, an event, and the
 * actions that the event gives. Run once when a format is new, from {@code host/}; what was written
 * is kept for ever and never written again.
 */
final class GoldenSnapshots {
    static final Path FOLDER = Path.of("src/test/resources/core/golden");

    /** Nine exchanges are too long for it. */
    private static final Config.Limits SMALL = new Config.Limits(0, 0, 0, 0, 0, 500, 0, 0, 0, 0);

    private GoldenSnapshots() {}

    public static void main(String... none) throws IOException {
        Path folder = FOLDER.resolve("format-" + SnapshotFormat.CURRENT);
        if (Files.exists(folder)) {
            throw new IllegalStateException(folder + " is there and is not written again");
        }
        Files.createDirectories(folder);
        try (Cores cores = new WasmCores(CoreLimits.DEFAULTS)) {
            write(folder, "idle", cores, Config.Limits.DEFAULTS, _ -> {}, d -> d.turn(1, "go"));
            write(
                    folder,
                    "thinking",
                    cores,
                    Config.Limits.DEFAULTS,
                    d -> d.turn(1, "go"),
                    d -> d.calls(1, "I look", exec("make"), read("a")));
            write(
                    folder,
                    "acting",
                    cores,
                    Config.Limits.DEFAULTS,
                    GoldenSnapshots::act,
                    d -> d.result(Event.Family.EXEC, 2, "done"));
            write(
                    folder,
                    "cancel",
                    cores,
                    Config.Limits.DEFAULTS,
                    GoldenSnapshots::act,
                    d -> d.cancel(1));
            write(
                    folder,
                    "resume",
                    cores,
                    Config.Limits.DEFAULTS,
                    GoldenSnapshots::act,
                    d -> d.resume(9));
            write(
                    folder,
                    "long",
                    cores,
                    Config.Limits.DEFAULTS,
                    d -> talk(d, 10),
                    d -> d.turn(11, "more"));
            write(folder, "compacting", cores, SMALL, d -> talk(d, 8), d -> d.turn(9, "and now"));
        }
    }

    private static void act(Driver driver) {
        driver.turn(1, "go");
        driver.turn(2, "then this");
        driver.calls(
                1,
                "I look",
                exec("make"),
                read("../x"),
                agent("help", "read"),
                ask("which?"),
                plan("a"));
    }

    private static void talk(Driver driver, int turns) {
        long ask = 1;
        for (int turn = 1; turn <= turns; turn++) {
            driver.turn(turn, "What is the number after " + turn + "? " + "Say why. ".repeat(9));
            var answered = driver.says(ask, "It is " + (turn + 1) + ". " + "Because. ".repeat(9));
            ask = answered.getLast().id().value() + 1;
        }
    }

    private static void write(
            Path folder,
            String name,
            Cores cores,
            Config.Limits limits,
            Consumer<Driver> before,
            Consumer<Driver> event)
            throws IOException {
        try (Driver driver = Driver.open(cores, limits)) {
            before.accept(driver);
            Bytes state = driver.snapshot();
            event.accept(driver);
            Bytes fed = driver.journal().getLast();
            try (Core core = cores.restore(cores.current(), state)) {
                Files.write(folder.resolve(name + ".state"), state.toArray());
                Files.write(folder.resolve(name + ".event"), fed.toArray());
                Files.write(folder.resolve(name + ".actions"), core.step(fed).toArray());
            }
        }
    }
}
