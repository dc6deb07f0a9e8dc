package ai.hanzo.dev.host.local;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How a host process is started: by the same Java with the same class path, in a session of its own
 * (setsid), so that neither Ctrl-C nor the end of the terminal reaches it. Immutable.
 *
 * @param command Java with its options and the main class
 * @param without variables that the host must not inherit: keys go with each session
 */
public record Launch(List<String> command, List<String> without) {
    public Launch {
        command = List.copyOf(command);
        without = List.copyOf(without);
    }

    /**
     * This very program.
     *
     * @param mainClass whose first argument {@code host} makes it a host
     */
    public static Launch ofThisProgram(String mainClass, List<String> without) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.add("-XX:MaxRAMPercentage=25");
        command.add("-XX:+ExitOnOutOfMemoryError");
        String cache = System.getProperty("hanzo.host.aot", "");
        if (!cache.isEmpty() && Files.isReadable(Path.of(cache))) {
            command.add("-XX:AOTCache=" + cache);
            command.add("-Xlog:aot=off");
        }
        for (String property : List.of("hanzo.build", "hanzo.root", "hanzo.cell")) {
            String value = System.getProperty(property, "");
            if (!value.isEmpty()) {
                command.add("-D" + property + "=" + value);
            }
        }
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.add("host");
        return new Launch(command, without);
    }

    /** Starts it. */
    Process start(Home home) throws IOException {
        var full = new ArrayList<String>();
        Path setsid = Path.of("/usr/bin/setsid");
        if (Files.isExecutable(setsid)) {
            full.add(setsid.toString());
        }
        full.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(full);
        builder.directory(home.path().toFile());
        Map<String, String> environment = builder.environment();
        without.forEach(environment::remove);
        environment.put("HANZO_HOME", home.path().toString());
        builder.redirectInput(new File("/dev/null"));
        builder.redirectErrorStream(true);
        builder.redirectOutput(home.hostOutput().toFile());
        return builder.start();
    }
}
