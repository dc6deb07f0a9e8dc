package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.model.Models.Selection;
import ai.hanzo.dev.host.model.ProviderSettings;
import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.v1.PolicyChoice;
import ai.hanzo.dev.host.op.v1.SessionLimits;
import ai.hanzo.dev.host.op.v1.StartRequest;
import ai.hanzo.dev.host.op.v1.Surroundings;
import ai.hanzo.dev.host.session.LiveSessions;
import ai.hanzo.dev.host.session.NewSessions;
import ai.hanzo.dev.host.session.NewSessions.Begun;
import ai.hanzo.dev.host.session.NewSessions.Wanted;
import ai.hanzo.dev.host.session.SessionSetup;
import ai.hanzo.dev.host.stream.OpText;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.policy.Rules;
import ai.hanzo.dev.policy.RulesException;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.sandbox.ExecRequest;
import ai.hanzo.dev.workspace.Admission;
import ai.hanzo.dev.workspace.Workspace;
import ai.hanzo.dev.workspace.Workspaces;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Opens sessions: checks all that was asked before anything is made. Safe for all threads. */
public final class Starts {
    private static final int TITLE_CHARS = 80;

    private final Workspaces workspaces;
    private final NewSessions sessions;
    private final LiveSessions live;

    public Starts(Workspaces workspaces, NewSessions sessions, LiveSessions live) {
        this.workspaces = workspaces;
        this.sessions = sessions;
        this.live = live;
    }

    Session start(Caller caller, StartRequest request) {
        requireLocal(caller, request);
        Workspace workspace = workspace(request);
        Rules rules = rules(request.getPolicy());
        ProviderSettings brought = ProviderSettings.of(request.getEnvMap());
        Optional<String> script =
                request.hasScript() ? Optional.of(request.getScript()) : Optional.empty();
        String model = model(request, script, brought);
        SessionSetup setup =
                new SessionSetup(
                        workspace.path().toString(),
                        request.getWorkspace().getReadOnly(),
                        person(request.getSurroundings()),
                        new SessionSetup.Rules(
                                rules.name(),
                                request.getPolicy().hasRules()
                                        ? request.getPolicy().getRules()
                                        : ""),
                        script.orElse(""),
                        request.getLimits().getTurnSeconds(),
                        request.getLimits().getCommandSeconds());
        Wanted wanted =
                new Wanted(
                        new OrgId(caller.org()),
                        caller.name(),
                        title(request),
                        new NewSessions.Choice(workspace, model, rules),
                        setup,
                        new NewSessions.Opening(
                                request.getPrompt(), request.getInstructions(), limits(request)),
                        RequestKeys.of(
                                request.hasIdempotencyKey(), request.getIdempotencyKey(), request));
        return switch (sessions.begin(wanted, brought)) {
            case Begun.New(Session session) -> session;
            case Begun.Existing(Session session) -> session;
            case Begun.KeyReused _ -> throw OpException.keyReused(request.getIdempotencyKey());
            case Begun.WorkspaceBusy(var holder) ->
                    throw OpException.workspaceBusy(setup.workspace(), holder.value());
        };
    }

    private static void requireLocal(Caller caller, StartRequest request) {
        boolean namesThisMachine =
                request.getWorkspace().hasPath()
                        || request.getEnvCount() > 0
                        || request.hasSurroundings();
        if (namesThisMachine && !caller.local()) {
            throw OpException.of(
                    OpCode.LOCAL_ONLY,
                    "A workspace path and provider variables are for the owner of this machine.");
        }
    }

    private Workspace workspace(StartRequest request) {
        if (!request.getWorkspace().hasPath()) {
            throw OpException.of(
                    OpCode.INVALID_ARGUMENT,
                    "workspace.path: this host works in directories of its machine only",
                    "Send the absolute path of a directory as workspace.path.");
        }
        String text = request.getWorkspace().getPath();
        try {
            Path path = Path.of(text);
            if (!path.isAbsolute()) {
                throw OpException.invalid("workspace.path", "'" + text + "' is not absolute");
            }
            Set<Path> overrides =
                    request.hasAllowPath() ? Set.of(Path.of(request.getAllowPath())) : Set.of();
            return switch (workspaces.admit(path, overrides)) {
                case Admission.Admitted(Workspace admitted) -> admitted;
                case Admission.Refused(var _, String sentence) ->
                        throw OpException.of(OpCode.WORKSPACE_REFUSED, sentence);
            };
        } catch (InvalidPathException e) {
            throw OpException.invalid("workspace.path", String.valueOf(e.getMessage()));
        }
    }

    private static Rules rules(PolicyChoice choice) {
        try {
            return switch (choice.getChoiceCase()) {
                case NAME -> Rules.preset(choice.getName());
                case RULES -> Rules.parse("rules", choice.getRules());
                case CHOICE_NOT_SET -> Rules.preset("workspace");
            };
        } catch (RulesException e) {
            throw OpException.of(OpCode.POLICY_INVALID, String.valueOf(e.getMessage()));
        }
    }

    private String model(StartRequest request, Optional<String> script, ProviderSettings brought) {
        return switch (live.select(request.getModel(), script, brought)) {
            case Selection.Ready ready -> ready.model();
            case Selection.KeyMissing missing ->
                    throw OpException.of(OpCode.KEY_MISSING, missing.message());
            case Selection.Refused refused ->
                    throw OpException.of(
                            refused.code().equals("bad_script")
                                    ? OpCode.SCRIPT_INVALID
                                    : OpCode.MODEL_UNKNOWN,
                            refused.message());
        };
    }

    private static SessionSetup.Person person(Surroundings around) {
        return new SessionSetup.Person(
                around.getPath(),
                around.getHome(),
                around.getGitAuthorName(),
                around.getGitAuthorEmail(),
                around.getLang());
    }

    private static String title(StartRequest request) {
        String line = OpText.oneLine(request.getPrompt());
        return line.length() <= TITLE_CHARS ? line : line.substring(0, TITLE_CHARS);
    }

    private static Config.Limits limits(StartRequest request) {
        SessionLimits limits = request.getLimits();
        requireCount("limits.stepsPerTurn", limits.getStepsPerTurn(), Integer.MAX_VALUE);
        requireCount("limits.contextTokens", limits.getContextTokens(), Integer.MAX_VALUE);
        requireCount("limits.turnTokens", limits.getTurnTokens(), Integer.MAX_VALUE);
        requireCount("limits.turnSeconds", limits.getTurnSeconds(), Integer.MAX_VALUE);
        requireCount(
                "limits.commandSeconds",
                limits.getCommandSeconds(),
                ExecRequest.MAX_TIMEOUT.toSeconds());
        return new Config.Limits(
                0,
                limits.getStepsPerTurn(),
                0,
                0,
                0,
                limits.getContextTokens(),
                0,
                limits.getTurnTokens(),
                0,
                0);
    }

    private static void requireCount(String field, long value, long most) {
        if (value < 0 || value > most) {
            throw OpException.invalid(field, "is 0 (the default) to " + most);
        }
    }
}
