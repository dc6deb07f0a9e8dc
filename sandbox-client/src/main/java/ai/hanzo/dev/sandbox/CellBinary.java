package ai.hanzo.dev.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The static binary {@code cell} (native/landlock), as it lies in the jar: supervisor, launcher and
 * daemon. It is run from memory.
 */
final class CellBinary {

    private static final String RESOURCE = "cell";

    /** All that the supervisor needs; no variable of the host's own reaches it. */
    private static final List<String> ENVIRONMENT =
            List.of("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C");

    private CellBinary() {}

    /** Runs it with these arguments to its end. Platform threads only. */
    static NativeProcess.Ran run(List<String> arguments) {
        return NativeProcess.run(load(), arguments, ENVIRONMENT);
    }

    private static byte[] load() {
        requireLinux();
        try (InputStream in = CellBinary.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw CellException.unsupported(
                        "This build has no cell binary: install gcc and make, then build again with"
                                + " ./mvnw package");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw CellException.unsupported(
                    "The cell binary cannot be read from the jar (%s): build again"
                            .formatted(e.getMessage()),
                    e);
        }
    }

    private static void requireLinux() {
        String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!system.equals("Linux amd64")) {
            throw CellException.unsupported(
                    "Cells need Linux on x86_64 and this is %s: use --host URL with a host there"
                            .formatted(system));
        }
    }
}
