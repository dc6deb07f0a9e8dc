package ai.hanzo.dev.host.model;

/** The protocols under test. */
enum Provider {
    OPENAI("openai:test", "OPENAI_BASE_URL", "OPENAI_API_KEY"),
    ANTHROPIC("anthropic:test", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY");

    private final String spec;
    private final String baseVariable;
    private final String variable;

    Provider(String spec, String baseVariable, String variable) {
        this.spec = spec;
        this.baseVariable = baseVariable;
        this.variable = variable;
    }

    String spec() {
        return spec;
    }

    String baseVariable() {
        return baseVariable;
    }

    String variable() {
        return variable;
    }
}
