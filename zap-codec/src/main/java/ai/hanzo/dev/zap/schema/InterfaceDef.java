package ai.hanzo.dev.zap.schema;

import java.util.List;
import java.util.Optional;

/**
 * An interface of a schema: remote methods.
 *
 * @param methods in the order of declaration; never empty
 */
public record InterfaceDef(String name, List<Method> methods, int line) {
    public InterfaceDef {
        methods = List.copyOf(methods);
    }

    /**
     * A method. Its number on the wire is its place in the declaration, from 1.
     *
     * @param ordinal from 1
     * @param parameter name of a struct of the same file
     * @param result name of a struct of the same file
     */
    public record Method(
            String name,
            int ordinal,
            Optional<String> parameter,
            Optional<String> result,
            int line) {}
}
