package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.model.ProviderSettings;
import ai.hanzo.dev.host.op.v1.PolicyChoice;
import ai.hanzo.dev.host.op.v1.StartRequest;
import ai.hanzo.dev.host.op.v1.Surroundings;
import ai.hanzo.dev.host.op.v1.Workspace;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Makes a session's first request from options, files and surroundings of the caller. */
final class Requests {
    private static final Set<String> PRESETS = Set.of("read-only", "workspace", "full");
    private static final String SCRIPT = "script:";
    private static final int MAX_FILE_BYTES = 8 << 20;

    private final Io io;
    private final Options options;

    Requests(Io io, Options options) {
        this.io = io;
        this.options = options;
    }

    /** The directory to work in: absolute and without symbolic links. */
    Path workspace() {
        Path named = io.directory().resolve(options.directory().orElse(""));
        try {
            Path real = named.toRealPath();
            if (Files.isDirectory(real)) {
                return real;
            }
        } catch (IOException e) {
            // Told below.
        }
        throw CliException.usage(named + " is not a directory. Give one that is with -C DIR.");
    }

    /** Provider variables; they go to a host of this machine only. */
    Map<String, String> env(boolean local) {
        var env = new TreeMap<String, String>();
        if (local) {
            ProviderSettings settings = ProviderSettings.of(io.environment());
            for (String name : ProviderSettings.VARIABLES) {
                settings.value(name).ifPresent(value -> env.put(name, value));
            }
        }
        return env;
    }

    StartRequest.Builder start(String prompt, boolean local) {
        StartRequest.Builder request =
                StartRequest.newBuilder()
                        .setPrompt(prompt)
                        .putAllEnv(env(local))
                        .setWorkspace(Workspace.newBuilder().setPath(workspace().toString()));
        options.profile().ifPresent(request::setProfile);
        options.model().ifPresent(model -> model(request, model));
        options.policy().ifPresent(policy -> request.setPolicy(policy(policy)));
        if (options.policy().equals(Optional.of("read-only"))) {
            // Then commands may run: they cannot write.
            request.getWorkspaceBuilder().setReadOnly(true);
        }
        if (local) {
            request.setSurroundings(surroundings());
        }
        return request;
    }

    private void model(StartRequest.Builder request, String model) {
        if (!model.startsWith(SCRIPT)) {
            request.setModel(model);
            return;
        }
        request.setModel(model);
        request.setScript(file(model.substring(SCRIPT.length()), "The script"));
    }

    private PolicyChoice policy(String policy) {
        if (PRESETS.contains(policy)) {
            return PolicyChoice.newBuilder().setName(policy).build();
        }
        if (!Files.exists(io.directory().resolve(policy))) {
            throw CliException.usage(
                    "There is no policy "
                            + policy
                            + ": use read-only, workspace, full, or the name of a file of rules.");
        }
        return PolicyChoice.newBuilder().setRules(file(policy, "The policy")).build();
    }

    /** The content of a file that the person named; the host opens none. */
    String file(String name, String what) {
        Path file = io.directory().resolve(name);
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw CliException.usage(what + " " + name + " is not a file.");
            }
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw CliException.usage(what + " " + name + " is larger than 8 MiB.");
            }
            return Files.readString(file);
        } catch (MalformedInputException e) {
            throw CliException.usage(what + " " + name + " is not UTF-8 text.");
        } catch (IOException e) {
            throw CliException.usage(
                    what
                            + " "
                            + name
                            + " cannot be read ("
                            + e.getClass().getSimpleName()
                            + "). Check the name and who may read it.");
        }
    }

    /** Where this person's tools are, and their name in commits. */
    Surroundings surroundings() {
        GitIdentity git = GitIdentity.of(io.environment());
        Surroundings.Builder surroundings =
                Surroundings.newBuilder()
                        .setPath(io.environment().getOrDefault("PATH", ""))
                        .setHome(io.environment().getOrDefault("HOME", ""))
                        .setLang(io.environment().getOrDefault("LANG", ""));
        git.name().ifPresent(surroundings::setGitAuthorName);
        git.email().ifPresent(surroundings::setGitAuthorEmail);
        return surroundings.build();
    }
}
