package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.local.HostServices;
import ai.hanzo.dev.host.local.Launch;
import java.util.List;

/**
 * What the command line starts but does not know: given by Main.
 *
 * @param host what {@code serve} opens
 * @param launch how a host is started in the background
 * @param build what this program was built from
 * @param verifyCore checks the wasm core that is built in
 * @param mockModel serves a script as a model provider would
 * @param sandbox tries what this machine can confine
 */
public record Programs(
        HostServices.Opener host,
        Launch launch,
        String build,
        CoreVerifier verifyCore,
        MockModel mockModel,
        SandboxCheck sandbox) {

    /** Tries the sandbox. */
    public interface SandboxCheck {
        /** What can be enforced, in a line; throws with a sentence when that is not enough. */
        String check();
    }

    /** Checks the core. */
    public interface CoreVerifier {
        /**
         * What was found, a fact a line; throws with a sentence when it is not what it should be.
         */
        List<String> verify();
    }

    /** A model provider that plays a script. */
    public interface MockModel {
        /**
         * Starts it.
         *
         * @param script content of a script file
         * @param port 0 for any free one
         * @return the address; it serves until the process ends
         */
        String serve(String script, int port);
    }
}
