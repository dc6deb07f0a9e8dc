package ai.hanzo.dev.policy;

import java.util.Optional;

/**
 * The rules that come with the program, in the language of rules files; docs/policy.md prints them.
 */
final class Presets {

    private static final String READ_ONLY =
            """
            version: 1
            name: read-only
            rules:
              - {name: read, op: [read, list, search, stat], verdict: allow}
              - {name: talk, op: [model, ask], verdict: allow}
              - {name: git, op: git, git: inert, verdict: allow}
              - name: exec
                op: exec
                readonly: true
                verdict: allow
              - name: write
                op: [write, patch, exec, git]
                verdict: block
                reason: This session may only read.
              - name: browse
                op: browse
                method: [GET, HEAD]
                verdict: require_client_approval
            """;

    private static final String WORKSPACE =
            """
            version: 1
            name: workspace
            rules:
              - {name: read, op: [read, list, search, stat], verdict: allow}
              - name: git-directory
                op: [write, patch]
                path:
                  - .git/hooks/**
                  - .git/config
                  - .git/config.worktree
                  - .git/commondir
                  - .git/modules/**/config
                  - .git/modules/**/hooks/**
                  - "**/.git/hooks/**"
                  - "**/.git/config"
                  - "**/.git/config.worktree"
                  - "**/.git/commondir"
                verdict: block
                reason: Hooks and configuration of git run programs; change them yourself.
              - {name: write, op: [write, patch], verdict: allow}
              - name: push
                op: exec
                argv: [git push **, git send-pack **]
                verdict: require_client_approval
                reason: A push leaves this machine.
              - {name: exec-unclear, op: exec, unclear: true, verdict: allow}
              - {name: exec, op: exec, verdict: allow}
              - {name: git, op: git, git: [inert, local], verdict: allow}
              - name: git-outward
                op: git
                git: outward
                verdict: require_client_approval
                reason: This talks to another repository.
              - name: git-unclear
                op: git
                verdict: require_expert_approval
                reason: These arguments of git can run a program.
              - {name: talk, op: [model, ask], verdict: allow}
              - {name: browse, op: browse, method: [GET, HEAD], verdict: observe}
              - name: browse-write
                op: browse
                verdict: require_client_approval
                reason: This request can change something elsewhere.
              - name: send
                op: send
                verdict: require_client_approval
                reason: A message leaves this machine.
              - name: outside
                op: [read, list, search, stat, write, patch, exec]
                outside: true
                verdict: require_client_approval
                reason: This is outside the workspace.
            """;

    private static final String FULL =
            """
            version: 1
            name: full
            network: "*"
            rules:
              - name: files
                op: [read, list, search, stat, write, patch, exec]
                verdict: allow
              - name: outside
                op: [read, list, search, stat, write, patch, exec]
                outside: true
                verdict: observe
              - {name: talk, op: [model, ask], verdict: allow}
              - {name: git, op: git, git: [inert, local], verdict: allow}
              - {name: outward, op: [git, browse, send], verdict: observe}
            """;

    private Presets() {}

    static Optional<String> text(String name) {
        return switch (name) {
            case "read-only" -> Optional.of(READ_ONLY);
            case "workspace" -> Optional.of(WORKSPACE);
            case "full" -> Optional.of(FULL);
            default -> Optional.empty();
        };
    }
}
